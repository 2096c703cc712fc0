import json, os, sys, tempfile, dataclasses
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
sys.path.insert(0, "tests/grading/verify")
from mutants import mutants
from tilelab.labs import lab
from tilelab.pipeline import submission, toolchain, needs
from tilelab.pipeline.session import Session

out = Path(sys.argv[1]); only = sys.argv[2:]
tool = toolchain.prepare("emulator")
tmp = Path(tempfile.mkdtemp())
session = Session([tool], seed=20).of_own_files().sharing(tmp)
def points(path, of):
    graded = submission.grade(path, of, session)
    return graded.status if hasattr(graded, "status") else "", sum(c.points for c in graded.criteria), [ (c.name, c.points) for c in graded.criteria]
jobs = []
for name in lab.all_labs():
    of = lab.load(name)
    if only and name not in only: continue
    for path in [of.reference, *of.ladder]:
        text = path.read_text()
        jobs.append((of, path, "original", text))
        for m in mutants(text): jobs.append((of, path, m.name, m.text))
def run(job):
    of, path, name, text = job
    folder = Path(tempfile.mkdtemp(dir=tmp)); file = folder / f"{of.name}.cu"; file.write_text(text)
    try:
        graded = submission.grade(file, of, session)
        r = [str(getattr(graded, "failure", None) or "")[:300], sum(c.points or 0 for c in graded.criteria), [[c.name, c.points] for c in graded.criteria]]
    except Exception as e:
        r = [repr(e)[:300], -1, []]
    return [of.name, str(path.name), name, *r]
with ThreadPoolExecutor(os.cpu_count()) as pool, out.open("a") as f:
    for row in pool.map(run, jobs):
        f.write(json.dumps(row) + "\n"); f.flush()
