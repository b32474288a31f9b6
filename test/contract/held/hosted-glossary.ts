/** Sections 2.1 to 2.7 and 4.1 of the contract: the records of the hosted glossary. */
import { by, type ContractEntry, section } from './held.ts'

const shape = 'hosted/conformance.test.ts'
const kinds = 'hosted/glossary/kinds.test.ts'

export const hostedGlossary: readonly ContractEntry[] = [
  ...section('2.1', {
    'A body that creates names its project by a whole number.': by(
      shape,
      'project in creation bodies is an integer',
    ),
    'The id of such a body is a text that the caller chooses.': by(
      shape,
      'id in creation bodies is a string of the caller',
    ),
    'By convention it is the kind, a dot and a slug, one prefix for each of terms, metrics and dimensions.': [
      ...by(shape, 'the convention kind prefix, dot, slug'),
      ...by(kinds, 'warns of a name that is taken, of an identifier beside the convention'),
    ],
    'Left open, whether identifiers are enforced: the convention is a warning, a second use is refused.': [
      ...by('hosted/glossary/terms.test.ts', 'keep their identifier for themselves'),
      ...by(kinds, 'warns of a name that is taken, of an identifier beside the convention'),
    ],
    'The answer to a creation has the number of the record and the id of the caller; ours calls the latter identifier.':
      by(shape, 'the term holds an integer record id', 'POST /api/svc/glossary/metrics/ takes the fields'),
    'Answers to new terms and metrics have a boolean success.': by(
      shape,
      'POST /api/svc/glossary/terms/ makes a term',
      'POST /api/svc/glossary/metrics/ takes the fields',
    ),
  }),
  ...section('2.2', {
    'A term has project, name, id, description, synonyms and owner.': by(
      shape,
      'POST /api/svc/glossary/terms/ makes a term',
    ),
    'The owner has the shape of an address.': by(kinds, 'and of an owner that is no address'),
    'Each field has its type.': by(kinds, 'what is said wrong is told at once'),
    'Left open, which are required: project and name.': by(
      shape,
      'a new term needs its project and its name',
    ),
    'The created term has number, name, identifier, description and project.': by(
      shape,
      'the term holds an integer record id',
    ),
  }),
  ...section('2.3', {
    'A metric has project, name, id, description, sql_definition, time_grain, source_assets and owner.': by(
      shape,
      'POST /api/svc/glossary/metrics/ takes the fields',
    ),
    'Its SQL may name an asset by ref().': by(kinds, 'a metric completes its source assets from its SQL'),
    'The grain month is one; left open, which others: those of a list of ours.': by(
      kinds,
      'a metric needs its SQL, and a time grain that there is',
      'a metric completes its source assets from its SQL',
    ),
    'The created metric has number, name, identifier, SQL and project.': by(
      shape,
      'POST /api/svc/glossary/metrics/ takes the fields',
    ),
  }),
  ...section('2.4', {
    'A dimension has project, name, id, description, values and type.': by(
      shape,
      'POST /api/svc/glossary/dimensions/ takes the fields',
    ),
    'The type categorical is one; left open, which others: numerical takes no values.': by(
      kinds,
      'a dimension is categorical when it does not say otherwise',
      'a numerical dimension has no list of values',
    ),
    'Left open, what the answer to a creation has: as a metric, under dimension.': by(
      shape,
      'POST /api/svc/glossary/dimensions/ takes the fields',
    ),
  }),
  ...section('2.5', {
    'A policy has project, name, rule, pii_columns, applies_to and enforcement.': by(
      shape,
      'POST /api/svc/glossary/policies/ takes the fields',
    ),
    'What it applies to are patterns, a schema with a star among them.': by(
      'hosted/metadata/policies.test.ts',
      'of %j has %i breach',
      'is followed under other names to the assets of the policy',
    ),
    'The enforcement strict is one; left open, which others: warn and off.': by(
      'hosted/metadata/policies.test.ts',
      'of %j has %i breach',
    ),
    'A policy that is sent has no id.': by(shape, 'a policy request has no id'),
    'Left open, what the answer to a creation has: as a metric, under policy.': by(
      shape,
      'POST /api/svc/glossary/policies/ takes the fields',
    ),
  }),
  ...section('2.6', {
    'A link has the numbers of a term and of an asset, a column and a role.': by(
      shape,
      'POST /api/svc/glossary/links/ with role %s',
      'term and asset are integer record ids',
    ),
    'The column is one of the asset.': by(
      'hosted/glossary/link-columns.test.ts',
      'is one that the asset has, in any case',
      'is refused where the asset has no such column',
    ),
    'There are three roles.': by(
      shape,
      'POST /api/svc/glossary/links/ with role %s',
      'there is no other role',
    ),
    'Left open, what the answer to a creation has: as a metric, under link.': by(
      shape,
      'POST /api/svc/glossary/links/ with role %s',
    ),
  }),
  ...section('2.7', {
    'An export has the project with number and name, terms with their links, metrics, dimensions and policies.':
      [
        ...by(shape, 'the export has project {id, name}'),
        ...by('hosted/glossary/exchange.test.ts', 'has what the contract shows'),
      ],
    'Metrics, dimensions and policies are exported with the fields of their records.': by(
      shape,
      'the export has project {id, name}',
    ),
  }),
  ...section('4.1', {
    'All bodies are JSON and say so.': by(shape, 'POST calls carry Content-Type: application/json'),
    'A path may end with a slash.': [
      ...by(shape, 'GET /api/svc/glossary/%s is the list'),
      ...by('hosted/glossary/lists.test.ts', 'slashes at the end do not count'),
    ],
    'Terms and metrics are created by POST, with success and the record in the answer.': by(
      shape,
      'POST /api/svc/glossary/terms/ makes a term',
      'POST /api/svc/glossary/metrics/ takes the fields',
    ),
    'So are dimensions, policies and links.': by(
      shape,
      'POST /api/svc/glossary/dimensions/ takes the fields',
      'POST /api/svc/glossary/policies/ takes the fields',
      'POST /api/svc/glossary/links/ with role %s',
    ),
    'Each of the five is listed by GET.': by(shape, 'GET /api/svc/glossary/%s is the list'),
    'The glossary of a project is exported by GET, under its whole number.': by(
      shape,
      'the export has project {id, name}',
      'the project in the export path is an integer',
    ),
    'Left open, parameters and shape of lists: arrays in the order of creation, with filters and pages.': by(
      'hosted/glossary/lists.test.ts',
      'are plain arrays in the order of creation',
      'come in pages that stay right while records come',
    ),
    'Left open, update and delete: PATCH, PUT, DELETE and restore.': by(
      'hosted/glossary/changes.test.ts',
      'PATCH changes what it names',
      'PUT replaces the whole record',
      'a term with links is deleted with them or not at all',
    ),
  }),
]
