"""load_file.py parquet|ndjson PATH FOLDER: a file into DuckDB by dlt; Parquet in batches of Arrow, which is the fastest of
its ways, NDJSON by its own reader. Prints the number of rows."""

import os
import sys

import dlt
import pyarrow.parquet
from dlt.sources.filesystem import filesystem, read_jsonl

kind, path, folder = sys.argv[1:]


@dlt.resource(name="loaded")
def batches():
    yield from pyarrow.parquet.ParquetFile(path).iter_batches(batch_size=100_000)


def lines():
    found = filesystem(bucket_url=f"file://{os.path.dirname(path)}", file_glob=os.path.basename(path))
    return (found | read_jsonl()).with_name("loaded")


pipeline = dlt.pipeline(
    "file",
    pipelines_dir=f"{folder}/pipelines",
    destination=dlt.destinations.duckdb(f"{folder}/loaded.duckdb"),
    dataset_name="landed",
)
pipeline.run(batches() if kind == "parquet" else lines(), write_disposition="replace")
with pipeline.sql_client() as client:
    print(client.execute_sql("SELECT count(*) FROM loaded")[0][0])
