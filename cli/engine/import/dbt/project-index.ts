/** Everything that the files of a dbt project declare, by kind and name. */
import { posix } from 'node:path'
import { SvcError } from '../../errors.ts'
import type { Site, Template } from '../jinja/problem.ts'
import { type Notes, startOf } from './notes.ts'
import { type DbtPackage, filesOf, folderPath } from './packages.ts'
import type { ProjectFiles } from './project-files.ts'
import { type Part, parseYamlFile } from './yaml-part.ts'

export interface DbtNode {
  readonly kind: 'model' | 'seed'
  /** As `ref` calls it. */
  readonly name: string
  readonly version: string | undefined
  readonly of: DbtPackage
  readonly path: string
  /** Between the folder of the kind and the file. */
  readonly folders: readonly string[]
  /** What a schema file says of it. */
  readonly properties: Part | undefined
  /** What a schema file says of this version alone. */
  readonly versionProperties: Part | undefined
}

export interface DbtSource {
  readonly of: DbtPackage
  readonly source: string
  readonly table: string
  readonly sourcePart: Part
  readonly part: Part
  readonly folders: readonly string[]
}

/** Something declared in a schema file. */
export interface Declared {
  readonly of: DbtPackage
  readonly part: Part
  readonly name: string
  /** Between the folder of the kind and the schema file. */
  readonly folders: readonly string[]
}

export interface DbtIndex {
  readonly nodes: readonly DbtNode[]
  readonly sources: readonly DbtSource[]
  /** Sources that the project switches off. */
  readonly disabled: readonly DbtSource[]
  /** By name, with the place of each. */
  readonly snapshots: ReadonlyMap<string, Site>
  /** The names of models in Python, which do not come over. */
  readonly pythonModels: ReadonlySet<string>
  readonly exposures: readonly Declared[]
  readonly unitTests: readonly Declared[]
  readonly singularTests: readonly {
    readonly of: DbtPackage
    readonly name: string
    readonly path: string
    readonly properties: Part | undefined
  }[]
  readonly docs: ReadonlyMap<string, DocBlock>
  /** The schema files, each as a whole. */
  readonly files: readonly Part[]
  /** Kinds of declarations that svc has no counterpart for. */
  readonly others: readonly (Declared & { readonly kind: string })[]
}

export interface DocBlock {
  readonly name: string
  readonly text: string
  readonly site: Site
  readonly of: DbtPackage
}

interface SchemaFile {
  readonly of: DbtPackage
  readonly part: Part
  readonly folders: readonly string[]
}

/** Throws SvcError `invalid-project` for YAML that cannot be read. */
export function indexProject(files: ProjectFiles, packages: readonly DbtPackage[], notes: Notes): DbtIndex {
  const schemas = packages.flatMap(of => schemaFiles(files, of))
  const declared = (...keys: string[]) =>
    keys.flatMap(key => schemas.flatMap(schema => declaredIn(schema, key, notes)))
  const models = declared('models')
  // dbt takes a seed that is described among the models for what it is.
  const described = [...declared('seeds'), ...models]
  const nodes = [
    ...packages.flatMap(of =>
      modelNodes(
        files,
        of,
        models.filter(each => each.of === of),
        notes,
      ),
    ),
    ...packages.flatMap(of =>
      seedNodes(
        files,
        of,
        described.filter(each => each.of === of),
      ),
    ),
  ]
  const tests = packages.flatMap(of => singularTests(files, of, declared('tests', 'data_tests')))
  const pythonModels = packages.flatMap(of =>
    filesOf(files, of, 'models', ['.py']).map(path => ({ of, name: posix.basename(path, '.py') })),
  )
  for (const { of, name, part } of models)
    if (pythonModels.some(each => each.of === of && each.name === name)) part.settle()
  noteWithoutFile([...declared('seeds'), ...models], [...nodes, ...pythonModels], notes)
  noteWithoutFile(
    declared('tests', 'data_tests').filter(({ of }) => of.isRoot),
    tests,
    notes,
  )
  return {
    nodes,
    sources: schemas.flatMap(schema => sourcesIn(schema, notes)),
    disabled: [],
    snapshots: snapshotsIn(files, packages, declared('snapshots')),
    pythonModels: new Set(pythonModels.map(({ name }) => name)),
    exposures: declared('exposures'),
    unitTests: declared('unit_tests'),
    singularTests: tests,
    docs: docBlocks(files, packages),
    files: schemas.map(({ part }) => part),
    others: ['metrics', 'semantic_models', 'saved_queries', 'groups'].flatMap(kind =>
      declared(kind).map(each => ({ ...each, kind })),
    ),
  }
}

function schemaFiles(files: ProjectFiles, of: DbtPackage): readonly SchemaFile[] {
  const kinds = ['models', 'seeds', 'snapshots', 'tests', 'macros', 'analyses'] as const
  const seen = new Set<string>()
  return kinds.flatMap(kind =>
    filesOf(files, of, kind, ['.yml', '.yaml']).flatMap(path => {
      if (seen.has(path)) return []
      seen.add(path)
      return [{ of, part: parseYamlFile(files.read(path)), folders: folderPath(of, kind, path) }]
    }),
  )
}

function declaredIn({ of, part, folders }: SchemaFile, key: string, notes: Notes): readonly Declared[] {
  return (part.get(key)?.items() ?? []).flatMap(item => {
    const name = item.get('name')?.text
    if (name !== undefined && name !== '') return [{ of, part: item, name, folders }]
    notes.add('todo', item.site, `an entry of "${key}" has no name`, { hint: 'dbt refuses it, too.' })
    return []
  })
}

function modelNodes(
  files: ProjectFiles,
  of: DbtPackage,
  models: readonly Declared[],
  notes: Notes,
): readonly DbtNode[] {
  const paths = filesOf(files, of, 'models', ['.sql'])
  const stems = new Set(paths.map(stemOf))
  const versioned = new Map(models.flatMap(model => versionsOf(model, stems)))
  for (const path of filesOf(files, of, 'models', ['.py'])) {
    notes.add('todo', startOf({ path, text: '' }), 'a model in Python', {
      asset: posix.basename(path, '.py'),
      hint: 'svc has no Python models yet: write it in SQL, or load its result as a file.',
    })
  }
  return paths.map((path): DbtNode => {
    const stem = stemOf(path)
    const version = versioned.get(stem)
    const model = version?.model ?? models.find(each => each.name === stem)
    return {
      kind: 'model',
      name: model?.name ?? stem,
      version: version?.version,
      of,
      path,
      folders: folderPath(of, 'models', path),
      properties: model?.part,
      versionProperties: version?.part,
    }
  })
}

const stemOf = (path: string) => posix.basename(path).replace(/\.sql$/i, '')

/**
 * The files of a model with versions: `<name>_v<version>`, or as `defined_in` says; that of the latest may have the name of the
 * model alone.
 */
function versionsOf(model: Declared, stems: ReadonlySet<string>) {
  const latest = latestVersion(model.part)
  return (model.part.get('versions')?.items() ?? []).flatMap(part => {
    const version = part.get('v')?.text
    if (version === undefined) return []
    const stem = part.get('defined_in')?.text ?? `${model.name}_v${version}`
    const isPlain = !stems.has(stem) && version === latest
    return [[isPlain ? model.name : stem, { model, version, part }] as const]
  })
}

/** The version of a model that a `ref` without one means: the one that is named, else the highest. */
export function latestVersion(properties: Part | undefined): string | undefined {
  const versions = (properties?.get('versions')?.items() ?? []).flatMap(part => part.get('v')?.text ?? [])
  const named = versions.length === 0 ? undefined : properties?.get('latest_version')?.text
  if (named !== undefined) return named
  return versions.sort((a, b) => Number(a) - Number(b) || (a < b ? -1 : 1)).at(-1)
}

function seedNodes(files: ProjectFiles, of: DbtPackage, seeds: readonly Declared[]): readonly DbtNode[] {
  return filesOf(files, of, 'seeds', ['.csv']).map((path): DbtNode => {
    const name = posix.basename(path).replace(/\.csv$/i, '')
    return {
      kind: 'seed',
      name,
      version: undefined,
      of,
      path,
      folders: folderPath(of, 'seeds', path),
      properties: seeds.find(each => each.name === name)?.part,
      versionProperties: undefined,
    }
  })
}

/** Throws SvcError `invalid-project` for names that come twice. */
export function refuseTwice(nodes: readonly DbtNode[]): void {
  const seen = new Map<string, DbtNode>()
  for (const node of nodes) {
    const first = seen.get(keyOf(node))
    if (first !== undefined) {
      throw new SvcError(
        'invalid-project',
        `two files are called "${node.name}": ${first.path} and ${node.path}`,
        {
          hint: 'dbt refuses them, too: rename one. Nothing was written.',
        },
      )
    }
    seen.set(keyOf(node), node)
  }
}

const keyOf = ({ of, name, version }: DbtNode) => `${of.name} ${name} ${version ?? ''}`

/** Those whose name another one has, too: only one of them may be enabled. */
export function twinsIn(nodes: readonly DbtNode[]): readonly DbtNode[] {
  const counts = new Map<string, number>()
  for (const node of nodes) counts.set(keyOf(node), (counts.get(keyOf(node)) ?? 0) + 1)
  return nodes.filter(node => (counts.get(keyOf(node)) ?? 0) > 1)
}

function noteWithoutFile(
  declared: readonly Declared[],
  files: readonly Pick<DbtNode, 'name' | 'of'>[],
  notes: Notes,
): void {
  const known = new Set(files.map(({ of, name }) => `${of.name} ${name}`))
  for (const { name, part, of } of declared) {
    if (known.has(`${of.name} ${name}`)) continue
    notes.add('left_out', part.site, `"${name}" is described here, and there is no file of it`)
    part.settle()
  }
}

function sourcesIn({ of, part, folders }: SchemaFile, notes: Notes): readonly DbtSource[] {
  return declaredIn({ of, part, folders }, 'sources', notes).flatMap(({ part: sourcePart, name: source }) =>
    (sourcePart.get('tables')?.items() ?? []).flatMap((table): readonly DbtSource[] => {
      const name = table.get('name')?.text
      if (name === undefined || name === '') {
        notes.add('todo', table.site, `a table of the source "${source}" has no name`)
        return []
      }
      return [{ of, source, table: name, sourcePart, part: table, folders }]
    }),
  )
}

function snapshotsIn(
  files: ProjectFiles,
  packages: readonly DbtPackage[],
  declared: readonly Declared[],
): ReadonlyMap<string, Site> {
  for (const { part } of declared) part.settle()
  const found = new Map<string, Site>(declared.map(({ name, part }) => [name, part.site]))
  for (const of of packages) {
    for (const path of filesOf(files, of, 'snapshots', ['.sql'])) {
      const template = files.read(path)
      for (const match of template.text.matchAll(/\{%-?\s*snapshot\s+(\w+)/g)) {
        found.set(match[1] ?? '', { template, at: match.index })
      }
    }
  }
  return found
}

function singularTests(files: ProjectFiles, of: DbtPackage, declared: readonly Declared[]) {
  // Tests of packages are about the packages themselves.
  if (!of.isRoot) return []
  return filesOf(files, of, 'tests', ['.sql'])
    .filter(path => !path.includes('/generic/'))
    .map(path => {
      const name = posix.basename(path).replace(/\.sql$/i, '')
      return { of, name, path, properties: declared.find(each => each.name === name)?.part }
    })
}

function docBlocks(files: ProjectFiles, packages: readonly DbtPackage[]): ReadonlyMap<string, DocBlock> {
  const blocks = new Map<string, DocBlock>()
  const kinds = ['docs', 'models', 'seeds', 'snapshots', 'macros', 'analyses', 'tests'] as const
  // Those of the project come last, and win.
  for (const of of [...packages].reverse()) {
    for (const path of new Set(kinds.flatMap(kind => filesOf(files, of, kind, ['.md'])))) {
      const template: Template = files.read(path)
      const pattern = /\{%-?\s*docs\s+(\w+)\s*-?%\}([\s\S]*?)\{%-?\s*enddocs\s*-?%\}/g
      for (const match of template.text.matchAll(pattern)) {
        const [, name = '', text = ''] = match
        blocks.set(name, { name, text: text.trim(), site: { template, at: match.index }, of })
      }
    }
  }
  return blocks
}
