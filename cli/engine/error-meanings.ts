/**
 * The meaning of each error code and what to do about it, the source of docs/errors.md. TypeScript requires
 * an entry for every code. The message of an error describes the single case; these sentences describe the
 * kind.
 */
import type { ErrorCode } from './errors.ts'

interface ErrorMeaning {
  readonly means: string
  readonly whatToDo: string
}

export const errorMeanings: Readonly<Record<ErrorCode, ErrorMeaning>> = {
  'asset-exists': {
    means: 'A new asset would overwrite a file, or take a name that another asset has.',
    whatToDo: 'Choose another name, or change the file that is there.',
  },
  'policy-breach': {
    means: 'An asset would show personal data that a policy of `glossary.yaml` keeps out of it.',
    whatToDo:
      'Leave the column out, or say `pii: false` under `columns` where it is harmless, and build again.',
  },
  'breaking-change': {
    means: 'A column goes away or changes its type while a file still reads it.',
    whatToDo: 'Change the readers too (`svc plan` lists each with its place), or keep the column.',
  },
  'layout-changed': {
    means:
      'A text file of a source with a `contract` is read in another way (delimiter, header, encoding, quotes, lines above the header) than `schemas.lock.json` agrees to.',
    whatToDo:
      'Repair the file; or say how it is written with `ingest.options`; or take the layouts of the asset out of `schemas.lock.json`.',
  },
  'ai-not-configured': {
    means: 'A command asks a language model, and no provider, model or key is chosen.',
    whatToDo: 'Choose them with `svc config ai`; `svc config ai` alone shows what is known.',
  },
  'answer-invalid': {
    means: 'A language model answered twice with something that does not hold.',
    whatToDo: 'Nothing was changed. Ask again, or choose a stronger model with `svc config ai --model`.',
  },
  'model-failed': {
    means: 'The provider of the language model refused the request, failed, or cannot be reached.',
    whatToDo: 'The message has its reason: check key, model and `--endpoint` with `svc config ai`.',
  },
  'model-library-missing': {
    means: 'The provider `transformers` needs a library that is not installed with svc.',
    whatToDo: 'Install `@huggingface/transformers` beside svc, or choose another provider.',
  },
  'build-failed': {
    means: 'The warehouse refused the SQL of an asset, or met a value that it cannot work with.',
    whatToDo:
      'Look at the place; `--debug` shows the compiled SQL. Production is as before; unchanged builds are kept.',
  },
  'history-lost': {
    means:
      'The source of an asset is defined as another one, so that the rows which its loads have gathered would go; the source need not have them any more.',
    whatToDo:
      'Take the change back, or say what becomes of them: `ingest.on_change: forward` keeps them and counts from now on, `rebuild` or `svc run <asset> --full-refresh` lets them go.',
  },
  'contract-violated': {
    means: 'A source delivered what its contract does not allow.',
    whatToDo: 'Fix the source, or change the contract if the new shape is right.',
  },
  'destination-shape': {
    means: 'What a publish writes into does not fit: a column is missing there, or a unique key.',
    whatToDo: 'Change the table there, or say with `publish.<target>.fields` and `key` what is sent.',
  },
  'mass-change': {
    means: 'A publish would change or delete more of what the target has than `max_change` allows.',
    whatToDo:
      'Look with `svc publish … --dry-run` whether that is meant; `--allow-mass-change` does it once.',
  },
  'rows-refused': {
    means: 'A target refused the first hundred rows of a publish, and took none.',
    whatToDo: 'The message has its reason: check `resource`, `fields` and types, and publish again.',
  },
  'unknown-destination': {
    means: 'The asset has no target of that name under `publish`, or the target is not complete.',
    whatToDo: 'Name one that it has, or describe it in the asset or under `destinations` in `svc.yaml`.',
  },
  'duplicate-key': {
    means: 'Two records of a source have the same primary key and are different.',
    whatToDo:
      'Name all columns that identify a record in `ingest.primary_key`. If the source changed while it was fetched, run again.',
  },
  'file-failed': {
    means: 'A file or folder cannot be read or written.',
    whatToDo: 'Check that it exists, that you may use it, and that the disk has room.',
  },
  'for-each-rows': {
    means:
      'The asset of `for_each` has more rows to ask for, or they more pages, than `limits.pages` allows.',
    whatToDo: 'Ask for fewer rows with `for_each.where`, or raise `ingest.limits.pages`. Nothing was loaded.',
  },
  'unknown-role': {
    means: '`deploy.grants` names a role that the warehouse does not have.',
    whatToDo: 'Correct the name, or make the role; nothing was built or changed.',
  },
  'foreign-object': {
    means: 'A table or view that svc did not make is in the way, or would lose what it reads.',
    whatToDo: 'Rename or drop it, or change the asset; svc never touches what it did not make.',
  },
  'replaced-view': {
    means:
      'Somebody has replaced a view of production by one of his own, which would be overwritten or dropped.',
    whatToDo:
      'Keep its query elsewhere if it is needed, then say `--replace-views`; on a terminal svc asks. Nothing was changed.',
  },
  'hosted-refused': {
    means: 'The hosted store did not take an upload: the token, the project, its limits or the pack itself.',
    whatToDo:
      'See the hint for what it said. Nothing of a refused upload is stored, and trying again is safe.',
  },
  'glossary-conflict': {
    means:
      'Somebody changed an entry in the hosted store while it was being written, so it was not overwritten.',
    whatToDo:
      'Run the command again: it reads the store anew. What both sides have changed is then listed, and `--take` says which one counts.',
  },
  'host-not-allowed': {
    means: 'A next page or a redirect leads to a host that the asset does not name.',
    whatToDo:
      'If that is right, list the host in `ingest.allow_hosts`; credentials stay with the endpoint all the same.',
  },
  'http-body': {
    means:
      'A web service answered with something that is not the data asked for: HTML, broken JSON, no records.',
    whatToDo: 'Look at the address in a browser; check `ingest.resource` and `ingest.records`.',
  },
  'http-failed': {
    means: 'A web service could not be reached or closed the connection, even after retries.',
    whatToDo: 'Check address and network; raise `limits.timeout` or `limits.retries` for a slow service.',
  },
  'http-status': {
    means: 'A web service answered with an error status (401, 404, 429, 500), even after retries.',
    whatToDo: 'See the hint for that status; `ingest.on_status` says what to do about one that is expected.',
  },
  'paginate-missing': {
    means:
      'A path or header that `ingest.paginate` names is in no answer of the service, so that pages would be missed.',
    whatToDo:
      'Correct its spelling; the hint names what the answer has. Without `paginate` svc finds the way itself.',
  },
  'import-unreadable': {
    means: 'A file to import has rows or entries that cannot be read, or has none of the known forms.',
    whatToDo: 'Correct the lines that are listed; nothing of the file was imported.',
  },
  interrupted: {
    means: 'The command was stopped by Ctrl-C or a signal.',
    whatToDo:
      'No step is left half done. What is complete is kept for `svc retry`; `svc run` fetches every source again.',
  },
  'invalid-glossary': {
    means: '`glossary.yaml` has mistakes, so nothing is written into it.',
    whatToDo: 'Fix them: `svc validate` shows each at its place.',
  },
  'invalid-project': {
    means: 'Files have errors that this command cannot work around.',
    whatToDo: 'Fix what is listed; `svc validate` shows all of it again.',
  },
  'invalid-settings': {
    means: '`svc.yaml` has an error, so svc cannot know which warehouse or schema is meant.',
    whatToDo: 'Fix the place that is named.',
  },
  'lease-lost': {
    means:
      'The command slept (a closed laptop, a stopped virtual machine, a broken connection) until another one took its lease.',
    whatToDo: 'It promoted and sent nothing after that. `svc status` shows what is live; run again.',
  },
  'lease-held': {
    means: 'Another process is changing this environment.',
    whatToDo:
      'Wait for it (the message says who and since when), or stop it; the lease of a process that has died is taken over by the next command.',
  },
  'database-denied': {
    means: 'A database that rows are read from does not accept the user, the password, or the question.',
    whatToDo: 'Check the address and the password; ask for the rights to read the table (`GRANT SELECT`).',
  },
  'database-statement': {
    means: 'A database that rows are read from cannot run what the asset asks of it.',
    whatToDo: 'Check `ingest.resource`, `query`, `where` and `split`; the message is that of the database.',
  },
  'database-unreachable': {
    means: 'A database that rows are read from does not answer, or the connection broke, on every try.',
    whatToDo:
      'Check that the server runs and lets this machine in. `ingest.limits.retries` says how often to try.',
  },
  'missing-credentials': {
    means: 'A source needs a secret that the environment of this process does not hold.',
    whatToDo: 'Set the variable that the message names, here and wherever runs are started.',
  },
  'no-project': {
    means: 'There is no `svc.yaml` and no `models/` with `.svc` files, here or above.',
    whatToDo: 'Change into the project, or start one with `svc init`.',
  },
  'not-built-yet': {
    means: 'This version of svc cannot do that yet.',
    whatToDo: 'Leave it out, or use what the message offers.',
  },
  'not-deployed': {
    means: 'The asset was never deployed, or has no such table.',
    whatToDo: 'Run it first: `svc run +<asset>`.',
  },
  'nothing-to-roll-back': {
    means: 'No earlier deployment is kept, so there is nothing to return to.',
    whatToDo: '`svc versions <asset>` shows what there was.',
  },
  'parent-not-built': {
    means: 'A selected asset reads one that is not selected and has no live build.',
    whatToDo: 'Select it too: `svc run +<asset>`.',
  },
  'port-unavailable': {
    means: 'The port that `svc ui` or `svc lineage` should listen on is in use, or needs special rights.',
    whatToDo: 'Use the free port that the message names, or `--port 0` for any.',
  },
  'build-gone': {
    means: 'Somebody has dropped a table or view of svc that a promotion or a rollback would show.',
    whatToDo: 'Production is as before. Preview again, or roll back to another run.',
  },
  'new-warnings': {
    means:
      'The run has warnings that its last run did not have, and `--strict`, or `warnings: fail` of the environment, refuses these.',
    whatToDo:
      'See to the cause of each. If a warning is right as it is, run once without `--strict`: from then on it is known.',
  },
  'promotion-stale': {
    means:
      'Production has changed since the preview was made, so the tests of the preview no longer apply; or transactions of readers held its views until `promotion.wait` was over.',
    whatToDo:
      'Preview again, check the result, and promote that preview. Let the session that the message names end its transaction, or write `promotion: {blockers: cancel}`.',
  },
  'source-empty': {
    means:
      'A source that had records at its last load has none now: an empty list, a header alone, an empty response.',
    whatToDo:
      'Check the source, then run again. If no records are right, write `contract: {allow_empty: true}`.',
  },
  'entry-exists': {
    means: 'A new metric, dimension or policy would take the name or the identifier that another one has.',
    whatToDo: 'Choose another name or `--id`, or change the one that is there: `svc glossary edit`.',
  },
  'entry-in-use': {
    means: 'A term is to be removed from `glossary.yaml`, and links or columns of assets refer to it.',
    whatToDo: 'Look at what is listed; `--with-references` removes that too.',
  },
  'file-changed': {
    means:
      'A file of a source with `only_new: true` and `write: append` has changed since it was loaded: its records would be added a second time.',
    whatToDo:
      'Deliver what changes in a new file, or write `write: merge` with a `primary_key`. `svc run --full-refresh` reads all files again.',
  },
  'source-empty-glob': {
    means: 'The files that a source names do not exist.',
    whatToDo: 'Check `ingest.endpoint` and `ingest.resource`; paths are relative to the root of the project.',
  },
  'source-missing': {
    means: 'The table of the warehouse that a source names does not exist.',
    whatToDo: 'Check `ingest.resource`, and whether what writes the table has run.',
  },
  'source-shape': {
    means:
      'The records of a source cannot be turned into the tables that the definition of the asset describes.',
    whatToDo: 'Rename or exclude columns that would get the same name; set the key of child tables.',
  },
  'source-unreadable': {
    means: 'A file of a source is not in the format that its ending or `ingest.format` says.',
    whatToDo: 'Look at the place in the file; set `ingest.format` or its options.',
  },
  'term-exists': {
    means: 'A new term would take the name or the identifier that another one has.',
    whatToDo: 'Choose another name or `--id`, or change the term that is there.',
  },
  'test-failed': {
    means: 'A data test with severity `error` failed, so nothing was promoted.',
    whatToDo:
      'Look at the rows that it shows; the failed tables are kept: `svc sample <asset> --source model --run <run>`.',
  },
  'mask-key-changed': {
    means:
      'New records would be masked with another key than those that are loaded, so that equal values differ.',
    whatToDo: 'Set `SVC_MASK_KEY` to the key of before, or load everything anew with `--full-refresh`.',
  },
  'mask-without-column': {
    means:
      '`ingest.mask` names a column that the source does not have, so a value that was to be hidden would be stored as it is.',
    whatToDo:
      'Correct the name. If the source will have the column later, name it in `contract.columns`; a pattern with `*` may match nothing.',
  },
  'type-changed': {
    means:
      'The values of a column are of another type than at the last load, and only text would hold them all.',
    whatToDo:
      'Check the source. If the new values are right, give the column its type in `contract.columns`, or write `contract: {evolution: evolve}`.',
  },
  'unit-test-failed': {
    means:
      'A unit test of a selected asset fails: from the given rows, the SQL produces other rows than expected.',
    whatToDo:
      'Fix the SQL or what the test expects; `svc test --unit` shows the difference row by row. Nothing of the asset was fetched or built.',
  },
  'unknown-asset': {
    means: 'A name or selector matches no asset of the project.',
    whatToDo: '`svc ls` lists all assets.',
  },
  'unknown-column': {
    means: 'The asset does not deliver a column of that name.',
    whatToDo: '`svc inspect <asset>` lists its columns.',
  },
  'unknown-entry': {
    means: '`glossary.yaml` has no entry of that name or identifier.',
    whatToDo: '`svc glossary search` finds entries by their words, `svc glossary add-…` makes one.',
  },
  'unknown-environment': {
    means: '`--env` has a value that cannot be the name of an environment.',
    whatToDo: 'Use `dev`, `prod`, one of `svc.yaml`, or a name of letters, digits and underscores.',
  },
  'schema-name-too-long': {
    means:
      'The warehouse would cut the name of a schema that the environment needs, and two environments could become one.',
    whatToDo:
      'Shorten `default_schema` or `deploy.schema`, or give the environment a shorter `schema` in `svc.yaml`.',
  },
  'unknown-run': {
    means: 'No run of that id is known here.',
    whatToDo: 'Each run prints its id at the beginning and at the end; `svc logs --list` lists them.',
  },
  'unknown-term': {
    means: '`glossary.yaml` has no term of that name or identifier.',
    whatToDo: '`svc glossary list` shows the terms, `svc glossary add-term` makes one.',
  },
  'out-of-memory': {
    means: 'The system gave the process no more memory.',
    whatToDo:
      'Close other programs, or raise the limit of memory of the process (`ulimit -v`, or that of its container).',
  },
  'state-lost': {
    means: 'A table of the schema `svc` is gone: somebody has dropped it, while the other ones are there.',
    whatToDo:
      'Restore the warehouse from a backup; or run `svc init`, which makes the table again, without what it held: the next run builds what it does not know any more.',
  },
  'warehouse-failed': {
    means: 'The warehouse refused something that is not the SQL of one of your assets.',
    whatToDo: 'Read its message; `svc doctor` looks at the connection and the state tables.',
  },
  'warehouse-locked': {
    means:
      'Another process has the warehouse file open. A DuckDB file has one writer, which locks out readers.',
    whatToDo: 'Close that program (the message says which), then try again.',
  },
  'warehouse-newer': {
    means: 'The file or its state tables were made by a newer DuckDB or a newer svc.',
    whatToDo: 'Update svc on this machine.',
  },
  'warehouse-not-a-database': {
    means: 'The warehouse file is not a DuckDB database.',
    whatToDo: 'Check `warehouse` in `svc.yaml`; move the file away if you do not need it.',
  },
  'wrong-usage': {
    means: 'The command line cannot be understood, or contradicts itself.',
    whatToDo: 'The message names the word; `svc <command> --help` shows what there is.',
  },
}
