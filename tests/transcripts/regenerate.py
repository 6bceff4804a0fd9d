"""`make transcripts`: write the long scripts, every output and what people see anew. Read the difference before
it is kept."""

from __future__ import annotations

from tests.transcripts import reading, sights
from tests.transcripts.long_scripts import long_scripts


def regenerate() -> list[str]:
    """The outputs that have changed."""
    for name, text in long_scripts().items():
        reading.script(name).write_text(text, "utf-8")
    for stale in {path.stem for path in reading.FOLDER.glob("*.out")} - set(reading.names()):
        reading.printed(stale).unlink()
    for path in reading.FOLDER.rglob("*.seen"):
        if path not in map(sights.kept, sights.SHOWN):
            path.unlink()
    outputs = [(reading.printed(name), reading.played(name)) for name in (*reading.names(), *reading.irregular_names())]
    outputs += [(sights.kept(name), sights.written(name).encode()) for name in sights.SHOWN]
    changed = []
    for path, now in outputs:
        if not path.exists() or path.read_bytes() != now:
            path.write_bytes(now)
            changed.append(str(path.relative_to(reading.FOLDER)))
    return changed


if __name__ == "__main__":
    changed = regenerate()
    print(f"transcripts: {len(reading.names())} scripts, {len(changed)} outputs changed", *changed, sep="\n  ")
