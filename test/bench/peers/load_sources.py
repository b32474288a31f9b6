"""load_sources.py DATABASE STATEMENTS: the source tables, made by the DuckDB of the tool that will read them."""

import json
import sys

import duckdb

database, statements = sys.argv[1:]
connection = duckdb.connect(database)
connection.execute("CREATE SCHEMA raw")
with open(statements) as file:
    for statement in json.load(file):
        connection.execute(statement)
connection.execute("CHECKPOINT")
connection.close()
