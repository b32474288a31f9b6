/** The names of assets: each model, seed and source of the dbt project gets one of its own. */
import { createHash } from 'node:crypto'
import { toSnakeCase } from '@svc/server/language'
import { SvcError } from '../../errors.ts'
import { type Notes, startOf } from './notes.ts'
import type { DbtIndex, DbtNode, DbtSource } from './project-index.ts'

/**
 * A model has its own name, or its alias, by which the warehouse knows it; one of a package that has the name of
 * another gets that of its package before it. Throws SvcError `invalid-project` where two names meet all the same.
 */
export function nameAssets(index: DbtIndex, aliasOf: (node: DbtNode) => string | undefined, notes: Notes) {
  const wanted = index.nodes.map(node => {
    const written = aliasOf(node) ?? usualName(node)
    const name = validName(written)
    if (name !== written) {
      const what = `what dbt calls "${written}" is the asset "${name}" here`
      notes.add('changed', startOf({ path: node.path, text: '' }), what, { hint: renamed, asset: name })
    }
    return { node, name }
  })
  const counts = new Map<string, number>()
  for (const { name } of wanted) counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1)
  const taken = new Map<string, string>()
  const take = (name: string, what: string): string => {
    const other = taken.get(name.toLowerCase())
    if (other === undefined) {
      taken.set(name.toLowerCase(), what)
      return name
    }
    throw new SvcError('invalid-project', `${what} and ${other} would both be the asset "${name}"`, {
      hint: 'Rename one of them in the dbt project, then import again. Nothing was written.',
    })
  }
  const ofNode = new Map<DbtNode, string>()
  for (const { node, name } of wanted) {
    const isShared = (counts.get(name.toLowerCase()) ?? 0) > 1
    const own = isShared ? validName(usualName(node)) : name
    const prefix = isShared && !node.of.isRoot ? `${node.of.name}_` : ''
    ofNode.set(node, take(shortened(`${prefix}${own}`), node.path))
  }
  const ofSource = new Map<DbtSource, string>()
  for (const source of index.sources) {
    const written = `${source.source}_${source.table}`
    const name = validName(written)
    if (name.length < written.length)
      notes.add('changed', source.part.site, `the source ${written} is the asset "${name}" here`, {
        asset: name,
      })
    const free = taken.has(name.toLowerCase()) ? `source_${name}` : name
    ofSource.set(source, take(free, `the source ${source.source}.${source.table}`))
  }
  return { ofNode, ofSource }
}

const renamed =
  'Names of assets are made of letters, digits and _, and none begins with "svc_" or "_svc_". Readers outside need the new one.'

function usualName({ name, version }: DbtNode): string {
  return version === undefined ? name : `${name}_v${version}`
}

/** A run adds a few letters to the names of its tables, and the warehouse has a limit. */
const longestName = 58

/** Two names that are too long and begin in the same way stay two. */
function shortened(name: string): string {
  if (name.length <= longestName) return name
  const mark = createHash('sha256').update(name).digest('hex').slice(0, 6)
  return `${name.slice(0, longestName - mark.length - 1)}_${mark}`
}

function validName(text: string): string {
  return shortened(usableName(text))
}

function usableName(text: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]*$/.test(text)) return freeName(text)
  const snake = toSnakeCase(text).replace(/[^a-z0-9_]/g, '_')
  return freeName(/^[a-z_]/.test(snake) ? snake : `_${snake}`)
}

/** Names that svc needs for its own tables make way: those that begin with "svc_" or "_svc_", and those of raw tables. */
function freeName(name: string): string {
  return name.replace(/^_*(svc_)/i, 'own_$1').replace(/__raw(?=__|$)/gi, '_raw')
}
