/** The script of every page: defines the figures that stand on it. */
import {figures} from './figures/all.js';
import {define} from './lib/figure-element.js';
import './page/sections.js';
import './page/values.js';

for (const [tag, load] of Object.entries(figures)) {
  if (!document.querySelector(tag)) continue;
  load().then(
    ({default: figure}) => define(figure),
    // The printed figure stays as it is, real values and all.
    (error) => console.error(`the code of <${tag}> could not be loaded`, error),
  );
}
