/**
 * The part of `AGENTS.md` that svc writes: what an agent has to know to change this project as its people do. It holds what
 * stays while assets come and go, so that the file changes only when a convention does.
 */
import { dirname } from 'node:path/posix'
import type { Asset, Project } from '@svc/server/language'

export const guidePath = 'AGENTS.md'

const begin = '<!-- svc agents: written by svc, replaced by the next "svc agents" -->'
const end = '<!-- svc agents: end -->'

/** Returns the text of the file with the present part in the place of the old one; own text around it stays. */
export function withGuide(text: string | undefined, guide: string): string {
  const part = `${begin}\n${guide.trimEnd()}\n${end}\n`
  if (text === undefined || text.trim() === '') return part
  const from = text.indexOf(begin)
  const to = text.indexOf(end, from)
  if (from === -1 || to === -1) return `${text.trimEnd()}\n\n${part}`
  const rest = text.slice(to + end.length).replace(/^\r?\n/, '')
  return `${text.slice(0, from)}${part}${rest}`
}

/** Returns Markdown; equal conventions give equal text. */
export function guideOf(project: Project): string {
  return [
    ...intro(project),
    ...commands,
    ...layout(project),
    ...habits(project),
    ...personal(project),
    ...tools,
  ]
    .join('\n')
    .concat('\n')
}

function intro({ settings, engine }: Project): readonly string[] {
  return [
    `# Data pipelines of ${settings.name}`,
    '',
    `This project is made with svc: each data asset is one YAML file \`${settings.models}**/*.svc\` with where its rows come from`,
    '(`ingest`), what is promised about them (`contract`), what is made of them (`transform`), tests and freshness.',
    `SQL is that of ${engine.label}. Other assets are read as \`{{ ref('name') }}\`, the source of an asset as \`{{ source }}\`.`,
    '',
  ]
}

const commands: readonly string[] = [
  '## Commands',
  '',
  '- `svc validate` after every change: every problem of every file, without a warehouse. `svc explain <code>` says more.',
  '- `svc fmt` writes the one layout of YAML and SQL.',
  '- `svc test --unit` runs unit tests in memory.',
  '- `svc plan` shows what a run would do and which readers a change breaks.',
  '- `svc preview <asset>` builds and tests beside what is live.',
  '- `svc ai context --asset <name>` prints all about an asset and what is around it.',
  '',
  'Leave `svc run`, `svc promote`, `svc rollback` and `svc publish` to people, unless they ask for it.',
  '',
]

function layout({ assets, settings }: Project): readonly string[] {
  const folders = [...new Set([...assets.keys()].map(path => dirname(path)))].sort()
  const shown = folders.slice(0, 30).map(folder => `\`${folder}/\``)
  const environments = Object.keys(settings.environments)
  return [
    '## Layout',
    '',
    ...(shown.length === 0
      ? []
      : [`- Folders of assets: ${shown.join(', ')}${folders.length > 30 ? ', …' : ''}.`]),
    `- Views are in the schema \`${settings.defaultSchema}\`${environments.length === 0 ? '' : `; environments: ${listed(environments)}`}.`,
    '- `schemas.lock.json` and everything below `.svc/` are written by svc: do not edit them.',
    '',
  ]
}

interface Habit {
  readonly says: string
  readonly has: (asset: Asset) => boolean
}

const sometimes: readonly Habit[] = [
  { says: 'a `description`', has: ({ definition }) => definition.description !== undefined },
  { says: 'an `owner`', has: ({ definition }) => definition.owner !== undefined },
  { says: 'tests', has: ({ definition }) => definition.tests.length > 0 },
]

/** Says what all assets have in common, and what is in use. */
function habits({ byName }: Project): readonly string[] {
  const assets = [...byName.values()]
  const withSource = assets.filter(({ definition }) => definition.ingest.type !== 'none')
  const all = sometimes.filter(({ has }) => assets.length > 0 && assets.every(has))
  const contracts =
    withSource.length > 0 && withSource.every(({ definition }) => definition.contract !== undefined)
  const tags = sorted(assets.flatMap(({ definition }) => definition.tags))
  const kinds = sorted(assets.map(({ definition }) => definition.deploy.materialize))
  const tests = sorted(assets.flatMap(({ definition }) => definition.tests.map(({ kind }) => kind)))
  return [
    '## Conventions',
    '',
    ...(all.length === 0
      ? []
      : [`- Every asset has ${all.map(({ says }) => says).join(', ')}: a new one too.`]),
    ...(contracts ? ['- Every source has a `contract`: a new one too.'] : []),
    ...(tags.length === 0 ? [] : [`- Tags in use: ${listed(tags)}.`]),
    ...(kinds.length === 0 ? [] : [`- Kinds of \`deploy.materialize\` in use: ${listed(kinds)}.`]),
    ...(tests.length === 0 ? [] : [`- Kinds of test in use: ${listed(tests)}.`]),
    '- Never remove or weaken a test, a contract, a mask or an exclusion to make something pass: say that it is wrong instead.',
    '- Secrets are `env:NAME`, never values.',
    '',
  ]
}

function personal({ glossary }: Project): readonly string[] {
  const policies = glossary.policies.filter(({ enforcement }) => enforcement !== 'off')
  if (policies.length === 0) return []
  return [
    '## Policies',
    '',
    ...policies.map(
      ({ name, rule }) => `- ${oneLine(name)}${rule === undefined ? '' : `: ${oneLine(rule)}`}`,
    ),
    '',
    '`svc validate` follows personal data through every column, and refuses what breaks a policy.',
    '',
  ]
}

const tools: readonly string[] = [
  '## Tools',
  '',
  '`svc mcp` serves all of this over the Model Context Protocol, read-only: `{"command": "svc", "args": ["mcp"]}`.',
]

function sorted(names: readonly string[]): readonly string[] {
  return [...new Set(names)].sort()
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, 40).map(name => `\`${name}\``)
  return `${shown.join(', ')}${names.length > 40 ? ', …' : ''}`
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
