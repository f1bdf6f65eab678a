import assert from 'node:assert/strict';
import {test} from 'node:test';
import {parseHash, readLink, writeLink} from '../../static/js/lib/link.js';

const options = {
  text: {type: 'string', help: ''},
  layer: {type: 'integer', min: 1, max: 2, help: ''},
  query: {type: 'string', help: ''},
  scale: {type: 'number', help: ''},
  mask: {type: 'boolean', help: ''},
  kind: {type: 'choice', choices: ['raw', 'soft'], help: ''},
};

const ODD = [
  '', ' ', '  two  ', 'a&b=c', 'a+b', '100% #1?', '?', '#', '%41', '%', '\n\t\r\n', '«Seán» naïve Ωmega', 'שׁלום', '日本語', '👩‍👩‍👧‍👦',
  '<b>&amp;</b>', '"\'`', '\u0000', '\u202e', '/../', 'x'.repeat(18_000), '.', 'text=1&layer=2',
];

for (const text of ODD) {
  test(`a link reopens ${JSON.stringify(text.slice(0, 24))}`, () => {
    const state = {text, layer: 2, query: 3, scale: 0.5, mask: false, kind: 'soft'};
    const address = new URL(`https://example.org/book/${writeLink(options, 'queen', state)}`);
    assert.equal(address.search, '', 'nothing typed is in the query string');
    const {id, query} = parseHash(address.hash);
    assert.equal(id, 'queen');
    assert.deepEqual(readLink(options, query), {...state, query: '3'});
  });
}

test('a lone surrogate is written as the replacement character', () => {
  const {query} = parseHash(writeLink(options, 'queen', {text: 'a\ud800b'}));
  assert.deepEqual(readLink(options, query), {text: 'a\ufffdb'});
});

test('what is no value of an option is left out, what is out of range is brought into it', () => {
  assert.deepEqual(readLink(options, 'layer=9&scale=x&mask=yes&kind=hard&evil=1&__proto__=2'), {layer: 2});
  assert.deepEqual(readLink(options, 'layer=1.5'), {});
  assert.deepEqual(readLink(options, 'layer=&scale='), {});
  assert.deepEqual(readLink(options, 'scale=Infinity'), {});
});

for (const hash of ['', '#', '#queen', '#a-heading', '#1?text=a', '#Queen?text=a', '#?text=a']) {
  test(`${hash || 'no hash'} is not a view of a figure`, () => assert.equal(parseHash(hash), null));
}
