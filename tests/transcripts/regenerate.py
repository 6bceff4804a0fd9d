"""`make transcripts`: write the long scripts and every output anew. Read the difference before it is kept."""

from __future__ import annotations

from tests.transcripts import reading
from tests.transcripts.long_scripts import long_scripts


def regenerate() -> list[str]:
    """The names of the scripts whose output has changed."""
    for name, text in long_scripts().items():
        reading.script(name).write_text(text, "utf-8")
    for stale in {path.stem for path in reading.FOLDER.glob("*.out")} - set(reading.names()):
        reading.printed(stale).unlink()
    changed = []
    for name in (*reading.names(), *reading.irregular_names()):
        now, path = reading.played(name), reading.printed(name)
        if not path.exists() or path.read_bytes() != now:
            path.write_bytes(now)
            changed.append(name)
    return changed


if __name__ == "__main__":
    changed = regenerate()
    print(f"transcripts: {len(reading.names())} scripts, {len(changed)} outputs changed", *changed, sep="\n  ")
