/**
 * Reads who may import whom from ARCHITECTURE.md and finds what in the source does not keep to it. The document is
 * the only statement of the rule: nothing of it is repeated here.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'

interface Layer {
  readonly folder: string
  /** Folders and files of the project. */
  readonly imports: readonly string[]
  /** Package names; `node:*` stands for all of Node's own modules. */
  readonly packages: readonly string[]
}

export interface Rules {
  readonly layers: readonly Layer[]
  /** Folders that the map explains. */
  readonly mapped: readonly string[]
  /** Packages that only some folders may name. */
  readonly confined: readonly { readonly package: string; readonly folders: readonly string[] }[]
}

export interface Violation {
  readonly file: string
  readonly message: string
}

const workspaces = ['server', 'cli', 'webview', 'extension', 'hosted-api']
const aliases: Readonly<Record<string, string>> = {
  '@svc/server/contract': 'server/contract',
  '@svc/server/language': 'server/language',
  '@svc/server/format': 'server/language/format',
  '@svc/server/examples': 'server/language/checks/examples',
  '@svc/server/catalog': 'server/catalog',
  '@svc/server/python': 'server/python',
  '@svc/server/protocol': 'server/lsp/protocol.ts',
  '@svc/server/editor-link': 'server/contract/editor-link.ts',
  '@svc/server/verdicts': 'server/contract/verdicts.ts',
  '@svc/server/workspace': 'server/workspace',
  '@svc/server/lsp': 'server/lsp',
  '@svc/webview/editor-messages': 'webview/host/editor-messages.ts',
}

/** Throws when the tables of the document cannot be read: a rule that says nothing would allow everything. */
export function readRules(document: string): Rules {
  const layers = tableAfter(document, '## Who may import whom').map(
    ([folder = '', imports = '', packages = '']) => ({
      folder: quoted(folder)[0] ?? '',
      imports: quoted(imports),
      packages: quoted(packages),
    }),
  )
  const mapped = tableAfter(document, '## Map').flatMap(([folders = '']) => siblings(quoted(folders)))
  const confined = [
    ...document.matchAll(/`([^`]+)` is named only in ([^\n]*(?:\n(?!\n)[^\n]*)*?)[,.] /g),
  ].map(match => ({
    package: match[1] ?? '',
    folders: quoted(match[2] ?? ''),
  }))
  if (layers.length === 0 || mapped.length === 0 || layers.some(layer => layer.folder === '')) {
    throw new Error('ARCHITECTURE.md has no readable "Map" or "Who may import whom" table')
  }
  return { layers, mapped, confined }
}

/** Every import that the rules do not allow, and every folder with source that is in no layer or not on the map. */
export function findViolations(root: string, rules: Rules): readonly Violation[] {
  const files = workspaces.flatMap(workspace => sourceFiles(join(root, workspace)))
  return files.flatMap(path => {
    const file = relative(root, path).split(sep).join('/')
    const layer = layerOf(file, rules)
    const place = placeProblem(file, layer, rules)
    if (place !== undefined || layer === undefined) return [{ file, message: place ?? 'is in no layer' }]
    return importsOf(readFileSync(path, 'utf8'))
      .map(name => importProblem(file, name, layer, rules))
      .filter(message => message !== undefined)
      .map(message => ({ file, message }))
  })
}

export function sourceFiles(folder: string): readonly string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return ['node_modules', 'dist'].includes(entry.name) ? [] : sourceFiles(path)
    return /\.[cm]?tsx?$/.test(entry.name) ? [path] : []
  })
}

function placeProblem(file: string, layer: Layer | undefined, rules: Rules): string | undefined {
  if (layer === undefined) return 'is in no layer of ARCHITECTURE.md'
  const folder = dirname(file)
  if (folder === layer.folder || rules.mapped.some(mapped => isWithin(folder, mapped))) return undefined
  return `is in ${folder}, which the map in ARCHITECTURE.md does not know`
}

function importProblem(file: string, name: string, layer: Layer, rules: Rules): string | undefined {
  const target = projectTarget(file, name)
  if (target !== undefined) {
    if ([layer.folder, ...layer.imports].some(allowed => isWithin(target, allowed))) return undefined
    return `imports ${target}, which ${layer.folder} may not`
  }
  const packageName = name.startsWith('node:') ? 'node:*' : packageOf(name)
  if (!layer.packages.includes(packageName)) return `imports ${name}, which ${layer.folder} may not`
  const confined = rules.confined.find(rule => rule.package === packageName)
  if (confined === undefined || confined.folders.some(folder => isWithin(file, folder))) return undefined
  return `names ${name}, which only ${confined.folders.join(', ')} may`
}

function projectTarget(file: string, name: string): string | undefined {
  if (name.startsWith('.')) return posix.normalize(posix.join(dirname(file), name))
  return aliases[name] ?? (name.startsWith('@svc/') ? name : undefined)
}

function packageOf(name: string): string {
  return name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')
}

function layerOf(file: string, rules: Rules): Layer | undefined {
  return rules.layers
    .filter(layer => isWithin(file, layer.folder))
    .sort((a, b) => b.folder.length - a.folder.length)[0]
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`)
}

function importsOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
  const statements = /\b(?:import|export)\b[^'"`;=()]*?\bfrom\s*['"]([^'"]+)['"]/g
  const calls = /\b(?:import|require)\s*\(\s*['"]([^'"]+)['"]/g
  const effects = /^\s*import\s*['"]([^'"]+)['"]/gm
  return [statements, calls, effects].flatMap(pattern =>
    [...code.matchAll(pattern)].map(match => match[1] ?? ''),
  )
}

function tableAfter(document: string, heading: string): readonly (readonly string[])[] {
  const section = document.split(`\n${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter(line => line.startsWith('|'))
  return rows.slice(2).map(row => row.split('|').slice(1, -1))
}

function quoted(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].map(match => match[1] ?? '')
}

/** "`cli/engine/workspace`, `config`": a short name stands beside the first one. */
function siblings(names: readonly string[]): readonly string[] {
  const [first = ''] = names
  return names.map(name => (name.includes('/') || name === first ? name : posix.join(dirname(first), name)))
}
