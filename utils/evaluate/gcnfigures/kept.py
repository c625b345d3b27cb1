"""Results in a folder, so that a run that was ended goes on where it was."""
import hashlib
import json


class Broken(Exception):
    """A result is not what it should be; the text says which, why, and what to do."""


class Kept:
    """Results in a folder, by what they were asked for."""

    def __init__(self, folder, say):
        self.folder, self.say = folder, say

    def once(self, asked, make):
        text = json.dumps(asked, sort_keys=True)
        file = self.folder / f"{asked['part']}-{asked.get('set', 'all')}-{hashlib.sha1(text.encode()).hexdigest()[:10]}.json"
        if file.exists():
            return self._read(file, asked)
        self.say(", ".join(str(asked[key]) for key in ("part", "set", "hosts", "way") if key in asked))
        result = make()
        self.folder.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_text(json.dumps({"asked": asked, "result": result}, indent=1) + "\n", encoding="utf-8")
        part.replace(file)
        return result

    def _read(self, file, asked):
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
        except ValueError as error:
            raise Broken(f"{file}: {error}; remove it, and it is made again") from None
        if not isinstance(content, dict) or content.get("asked") != asked or "result" not in content:
            raise Broken(f"{file}: is not what {asked['part']} needs; remove it, and it is made again")
        return content["result"]
