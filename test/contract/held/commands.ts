/** Section 4.4 of the contract: the commands. */
import { by, type ContractEntry, section } from './held.ts'

const lines = 'contract/command-lines.ts'
const journey = 'cli/journey.test.ts'
const sentences = 'cli/contract-sentences.test.ts'
const commands = 'cli/commands.test.ts'
const discover = 'cli/discover.test.ts'
const help = 'cli/help.test.ts'
const glossary = 'cli/glossary/glossary.test.ts'
const ask = 'cli/ai/ask.test.ts'
const propose = 'cli/ai/propose.test.ts'
const context = 'cli/ai/context.test.ts'
const config = 'cli/ai/config.test.ts'

export const commandLine: readonly ContractEntry[] = [
  ...section('4.4', {
    'All commands, arguments and options are there.': by(
      'contract/contract.test.ts',
      'are all there',
      'have each part in a line that is run',
      'svc $words',
    ),
    'The group asset has run, rollback, status, sample and versions, which do the same.': [
      ...by(help, 'has the group asset with the same commands'),
      ...by(lines, 'asset run delay_bands', 'asset status --format json'),
    ],
    '--env is the environment, dev if not given.': by(
      help,
      'has dev as the environment of every command of interface.md 4.4',
    ),
    'dev has schemas of the branch, prod fixed ones.': [
      ...by(sentences, 'follows the branch as dev, and has fixed schemas as prod'),
      ...by(commands, 'dev follows the git branch, and two branches do not touch each other'),
    ],
  }),
  ...section('4.4 init to sample', {
    'init makes the state tables in the destination.': [
      ...by(journey, 'init makes the files and the state tables, once'),
      ...by('cli/lost-state-tables.test.ts', 'a run refuses, doctor says which, and init makes it'),
    ],
    'create asset writes a template into models/.': by(
      commands,
      'an empty folder becomes a project that runs',
      'create asset refuses what exists and names that are none',
    ),
    'discover finds out what the source is, a web service or a database.': by(
      discover,
      'becomes an asset with its records, pages, key, types and personal data, which runs',
      'a file of DuckDB becomes an asset that runs',
    ),
    'It writes a contract of the columns that it found.': by(
      discover,
      'becomes an asset with its records, pages, key, types and personal data, which runs',
    ),
    'It takes the table of a database.': by(
      discover,
      'has several tables: one has to be named',
      'a file of DuckDB becomes an asset that runs',
    ),
    'It takes a name for the asset.': by(lines, 'discover QUAKES --name quakes --no-write'),
    'It writes where it is told, or only prints.': [
      ...by(discover, 'is only printed with --no-write', 'goes into the file that --output names'),
      ...by(lines, 'discover QUAKES --name quakes_b -o models/quakes_b.svc --write'),
    ],
    'sample shows ten rows, or as many as it is told.': by(
      sentences,
      'has ten rows, or as many as --limit says',
    ),
    'With --size it makes a table of so many rows.': by(
      'engine/run/look.test.ts',
      'makes a sample table, replaced each time',
    ),
    'It reads the raw load, the table of the model or the view.': [
      ...by('engine/run/look.test.ts', 'reads the view, the table and the raw load'),
      ...by(help, 'has the options and defaults of interface.md 4.4'),
    ],
    'It needs an asset that was deployed.': by(
      journey,
      'status knows nothing as deployed, sample and freshness say so',
    ),
  }),
  ...section('4.4 doctor to rollback', {
    'doctor looks at versions, warehouse, schema, state tables and sources.': [
      ...by(journey, 'doctor finds everything well'),
      ...by('cli/bad-input/bad-servers.test.ts', 'nobody listens, or the name is not known'),
    ],
    'It says OK or FAIL for each, with what to do.': [
      ...by(lines, 'doctor'),
      ...by('cli/bad-input/bad-warehouse.test.ts', 'cannot be made where its folder is missing'),
    ],
    'validate checks the YAML of each file.': by('language/specs/syntax.md', 'A list that is never closed'),
    'It checks that name, ingest and transform are there.': [
      ...by('language/specs/keys.md', 'What must be there'),
      ...by(sentences, 'without ingest is FAIL, with the reason'),
    ],
    'It finds tags that are not closed.': by('language/specs/template-tags.md', 'A tag that is never closed'),
    'It looks for credentials in the text.': [
      ...by('language/checks-credentials.test.ts', 'finds a secret of shape %s anywhere'),
      ...by('language/specs/hard-coded-credentials.md', 'Values beside keys that hold secrets'),
    ],
    'It says PASS or FAIL for each file, with the reason.': by(
      commands,
      'shows every problem of every file at its place',
    ),
    'plan reads and compiles all files and says what would happen, and executes nothing.': [
      ...by(journey, 'plan shows what is new'),
      ...by(commands, 'says what changed and what breaks'),
      ...by(sentences, 'by a dry run or a plan changes nothing'),
    ],
    'It checks SQL and Python.': [
      ...by(
        'cli/file-errors.test.ts',
        'are all told at the end, with the tests that failed, and stop a plan',
      ),
      ...by(sentences, 'of Python with a mistake stops a plan, at its place'),
    ],
    'It checks contracts against their sources.': by(
      commands,
      'ends with 1 where a source breaks its contract',
    ),
    'run fetches, transforms and swaps.': by(journey, 'run builds, tests and promotes'),
    'It shows the statements with --debug.': by(
      'cli/machines.test.ts',
      '--debug tells every statement on stderr',
    ),
    'It moves nothing with --dry-run, which says what plan says.': by(
      sentences,
      'by a dry run or a plan changes nothing',
    ),
    'It runs everything with --all.': by(lines, 'run --all'),
    'rollback goes back, for assets between commas or for all.': [
      ...by(journey, 'a rollback goes back, a second one forth'),
      ...by(commands, 'some assets take their previous build'),
      ...by(sentences, 'back with --all takes all assets'),
    ],
  }),
  ...section('4.4 lineage to manifest', {
    'lineage makes a site of graphs, schemas, results and sources and serves it.': [
      ...by('dashboard/site.journey.ts', 'is served and opened with a token of its own'),
      ...by('cli/lineage.test.ts', 'writes a page with the data of the last run'),
    ],
    'It opens a browser.': by('cli/ui.test.ts', 'svc lineage opens the browser too'),
    'It needs a run.': by('cli/lineage.test.ts', 'says so where nothing has run'),
    'It says more with --debug.': by('cli/lineage.test.ts', 'writes a page with the data of the last run'),
    'ui starts the dashboard at a port, 3000 if not given.': [
      ...by('cli/ui.test.ts', 'prints the address alone on stdout'),
      ...by(help, 'has the options and defaults of interface.md 4.4'),
    ],
    'versions is a table of hash, time and status.': by(
      journey,
      'status, versions and freshness know the deployment',
    ),
    'status has the active hash of each asset, as a table or as JSON.': by(
      journey,
      'status knows nothing as deployed, sample and freshness say so',
      'status, versions and freshness know the deployment',
    ),
    'fmt formats YAML with two spaces, SQL with large keywords, and Python.': by(
      'cli/fmt.test.ts',
      'formats all files of the project, says which, and has nothing to do then',
    ),
    'It takes a path.': by('cli/fmt.test.ts', 'formats what it is given, from any folder'),
    'preview is a run without the swap, with the same options.': [
      ...by(help, 'has the options and defaults of interface.md 4.4'),
      ...by(journey, 'a good change is previewed, then promoted'),
    ],
    'publish sends an asset to a target that has to be named.': [
      ...by(lines, 'publish delay_bands --to there --env prod'),
      ...by(sentences, 'that names no target is wrong usage'),
    ],
    'The credentials of the target are those of its variable.': by(
      'cli/newcomer.test.ts',
      'init, discover a web service, discover a database, run, publish',
    ),
    'freshness compares times with limits, and is a table of OK, WARN and ERROR.': [
      ...by('engine/quality/freshness.test.ts', '%s hours old with limits of 12 and 24: %s'),
      ...by(
        'cli/times-and-freshness.test.ts',
        'freshness has both clocks, in the catalogue and in svc freshness',
      ),
    ],
    'inspect takes a file apart: blocks, columns with types, lineage, tests; as JSON too.': by(
      journey,
      'inspect takes a file apart, by path and by name',
    ),
    'manifest reads all files and writes four.': by(
      sentences,
      'of the manifest comes with those of lineage, schemas and tests',
    ),
    'With --update it changes what has changed.': by(journey, 'manifest --update keeps what did not change'),
  }),
  ...section('4.4 ai', {
    'context is a pack of project, assets, lineage, glossary, schemas, metrics and policies.': [
      ...by(context, 'is the same for the same files, whenever it is asked for'),
      ...by(sentences, 'has project, assets, lineage, schemas and the glossary'),
    ],
    'It may be about one asset with what is upstream and downstream.': by(
      context,
      'has one asset in the middle, and what is upstream and downstream of it by distance',
    ),
    'It has tests and history if asked for them.': by(
      context,
      'has tests and history when they are asked for, and says what failed',
    ),
    'explain tells what comes in, what is done, what goes out, what it rests on and why.': [
      ...by(ask, 'explains an asset, with what it took'),
      ...by(lines, 'ai explain models/sources/delay_bands.svc'),
    ],
    'It needs a model, and a file that can be parsed.': [
      ...by(config, 'is told in one line: %s'),
      ...by(ask, 'is nothing about a file that cannot be parsed'),
    ],
    'review has risks of performance and of data, glossary, practice and improvements.': by(
      ask,
      'lists findings, and steers no terminal',
    ),
    'new asks for words and makes an asset, which it writes only with --apply, where --path says.': by(
      propose,
      'shows an asset, and writes it where it is told',
    ),
    'fix proposes a patch as JSON, is told the error, and applies after a yes.': by(
      propose,
      'shows a patch, prints it for svc ai apply, and writes it after a yes',
      'needs something that is wrong, and fences the error that it is told',
    ),
    'tests proposes tests as a patch.': by(propose, 'counts only when the unit tests that it proposes pass'),
    'apply checks a patch, and changes all of its files or none, told file by file.': by(
      'cli/ai/apply.test.ts',
      'writes all files of a patch, changes and new ones, and says so for each',
      'refuses what is wrong with a code, the place and what to do',
      'is told file by file where it is refused',
      'is told file by file where one cannot be written, and each is as it was',
    ),
    'It only shows the difference with --dry-run.': by(
      'cli/ai/apply.test.ts',
      'writes all files of a patch, changes and new ones, and says so for each',
    ),
  }),
  ...section('4.4 glossary and config', {
    'add-term writes a term into glossary.yaml and its copy in .svc.': by(
      glossary,
      'begins a glossary, links, lists and exports it',
    ),
    'It takes an id or makes one, which nothing else has.': by(
      glossary,
      'begins a glossary, links, lists and exports it',
      'an identifier that is taken',
      'a name that is taken',
    ),
    'link-term links a term, by name or id, to an asset, by name or path, and to a column.': by(
      glossary,
      'begins a glossary, links, lists and exports it',
    ),
    'The asset has to be given, the role is one of three.': by(
      glossary,
      'no asset',
      'a role that is none',
      'gives a link another role, and makes none twice',
    ),
    'list counts terms, shows ten, says that there are more, and counts the other kinds.': by(
      glossary,
      'shows ten terms and says that there are more',
    ),
    'export prints the whole glossary as JSON, or writes it.': by(
      glossary,
      'begins a glossary, links, lists and exports it',
    ),
    'config ai keeps provider, model, key and address in the home or in the project.': by(
      config,
      'keeps a key in the file of the home',
      'keeps comments of svc.yaml',
    ),
    'The key is given as it is or as the name of a variable.': by(
      config,
      'keeps a key in the file of the home',
      'keeps comments of svc.yaml',
    ),
  }),
  ...section('4.4 rules', {
    'Rule 1: --all goes with no selector and with no name.': by(
      lines,
      'run --all delay_bands',
      'preview --all delay_bands',
      'rollback --all delay_bands',
    ),
    'Rule 2: a selector is an asset, with a plus in front what is upstream, behind what is downstream.': by(
      'cli/selection.test.ts',
      'lists names in building order, one a line',
      'plan, run and test understand the same words',
      'ls %j',
    ),
    'Rule 3: there are five providers, one of them a runner on this machine that needs no key.': [
      ...by(sentences, 'are five, and the runner on this machine needs no key'),
      ...by('cli/ai/every-command.test.ts', 'over the wire of %s'),
    ],
    'Rule 4, left open, exit codes and the JSON of the commands for models.': [
      ...by('cli/ai/every-command.test.ts', 'svc ai $words.0'),
      ...by('contract/contract.test.ts', 'are told on the page as they ended'),
    ],
  }),
]
