/** Sections 2.8 to 2.11 and 4.2 of the contract: context packs and what the hosted store answers about them. */
import { by, type ContractEntry, section } from './held.ts'

const shape = 'hosted/conformance.test.ts'
const read = 'hosted/metadata/read.test.ts'
const pack = 'hosted/metadata/read-pack.test.ts'
const upload = 'hosted/metadata/upload.test.ts'

export const hostedMetadata: readonly ContractEntry[] = [
  ...section('2.8', {
    'An upload has a context pack and its source, cli or webhook.': by(
      shape,
      'takes {context_pack, source} and counts',
      'source may be webhook',
    ),
    'The project of a pack has id, name, warehouse and default_schema.': by(
      upload,
      'counts what it has stored',
    ),
    'Each asset has id, the path of its file, blocks and schema.': [
      ...by(upload, 'counts what it has stored'),
      ...by(read, 'tells all of an asset'),
    ],
    'The lineage is a list of edges, the glossary one of entries.': [
      ...by(pack, 'is read as %j', 'is a list of entries, told apart by kind, identifier or fields'),
      ...by('cli/upload/upload.test.ts', 'sends the glossary as one list of entries (2.8)'),
    ],
    'Left open, the shapes within: several forms of an edge and of an entry are read.': by(
      pack,
      'is read as %j',
      'is the document of an export, whose terms bring their links',
      'take from their blocks what nobody says elsewhere',
    ),
  }),
  ...section('2.9', {
    'The answer has success and the counts of assets, edges, schemas and tests.': [
      ...by(shape, 'takes {context_pack, source} and counts'),
      ...by('cli/upload/upload.test.ts', 'tells the counts of an answer that has nothing else'),
    ],
  }),
  ...section('2.10', {
    'A manifest has project, assets, lineage, schemas by name, and tests.': by(
      shape,
      'the manifest has project, assets, lineage, schemas and tests',
    ),
  }),
  ...section('2.11', {
    'The lineage of an asset has upstream and downstream, each item the number and the name of an asset.': by(
      shape,
      'the lineage of an asset has upstream and downstream',
    ),
  }),
  ...section('4.2', {
    'A pack is uploaded by POST to a project.': by(shape, 'takes {context_pack, source} and counts'),
    'The manifest of a project is read by GET.': by(
      shape,
      'the manifest has project, assets, lineage, schemas and tests',
    ),
    'Metadata, lineage, versions and tests of an asset are read by GET.': by(
      shape,
      'metadata, versions and tests of an asset are there',
      'the lineage of an asset has upstream and downstream',
    ),
    'Projects and assets are named by whole numbers.': by(shape, 'project_id and asset_id are integers'),
    'Rule 1: uploads of the command line are cli, those of a pipeline webhook.': [
      ...by('cli/upload/upload.test.ts', 'tells what it would do, does it, and finds nothing to do'),
      ...by(pack, 'is a wrapper with its source, or the file as it is'),
    ],
    'Rule 1, left open, other sources: a word in small letters.': by(
      pack,
      'is a wrapper with its source, or the file as it is',
      'a bad label',
    ),
    'Rule 2: a pack comes in its wrapper or as a file; both are accepted wherever a pack is.': [
      ...by(shape, 'a file posted as it is is taken too'),
      ...by(upload, 'changes nothing the second time, in either form'),
      ...by('cli/upload/upload.test.ts', 'sends versions and test results of the runs that there were'),
    ],
    'Rule 3, left open, the metadata of an asset.': by(read, 'tells all of an asset'),
    'Rule 4, left open, the versions of an asset.': by(
      read,
      'has versions, newest first, with the statuses of the contract',
    ),
    'Rule 5: the tests of an asset are definitions and results.': by(
      read,
      'has tests with the latest results, and takes newer ones by themselves',
    ),
    'Rule 6, left open, schemas and tests in a manifest.': by(upload, 'counts what it has stored'),
    'Rule 7: the answer to an upload counts what was stored.': by(upload, 'counts what it has stored'),
  }),
]
