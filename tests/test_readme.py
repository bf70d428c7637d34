"""README.md does what it says: its Python blocks run, one after the other, as a reader would type them."""

import re
import subprocess
import sys
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")


def test_python_blocks_run(tmp_path: Path) -> None:
    script = tmp_path / "readme.py"
    blocks = re.findall(r"^```python\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    script.write_text("\n".join(blocks), encoding="utf-8")
    run = subprocess.run([sys.executable, "-W", "error", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[0] == "'price' must be a number, without currency."
