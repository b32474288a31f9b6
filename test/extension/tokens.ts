/** What the editor's own engine makes of a text with the grammars of the extension. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import oniguruma from 'vscode-oniguruma'
import textmate, { type IGrammar, type IRawGrammar } from 'vscode-textmate'

const folder = join(import.meta.dirname, '..', '..', 'extension')

/** The editor brings SQL and Python; these stand for them, with a string and a comment that may not end too late. */
const brought: Readonly<Record<string, IRawGrammar>> = {
  'source.sql': languageWith('sql', '--', '(?i)\\b(?:select|from|where|and|case|when)\\b'),
  'source.python': languageWith('python', '#', '\\b(?:def|return|import)\\b'),
}

export interface Token {
  readonly text: string
  readonly scopes: readonly string[]
}

/** Tokens of every line, blanks left out. */
export async function tokenize(text: string): Promise<readonly Token[]> {
  const grammar = await loadGrammar()
  let state = textmate.INITIAL
  return text.split('\n').flatMap(line => {
    const { tokens, ruleStack } = grammar.tokenizeLine(line, state)
    state = ruleStack
    return tokens
      .map(({ startIndex, endIndex, scopes }) => ({ text: line.slice(startIndex, endIndex), scopes }))
      .filter(token => token.text.trim() !== '')
  })
}

interface Contribution {
  readonly scopeName: string
  readonly path: string
  readonly injectTo?: readonly string[]
}

let loaded: Promise<IGrammar> | undefined

function loadGrammar(): Promise<IGrammar> {
  loaded ??= load()
  return loaded
}

async function load(): Promise<IGrammar> {
  const wasm = createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm')
  await oniguruma.loadWASM(readFileSync(wasm))
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    readonly contributes: { readonly grammars: readonly Contribution[] }
  }
  const { grammars } = manifest.contributes
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
      createOnigString: string => new oniguruma.OnigString(string),
    }),
    loadGrammar: async scope => {
      const own = grammars.find(each => each.scopeName === scope)
      if (own === undefined) return brought[scope] ?? null
      const path = join(folder, own.path)
      return textmate.parseRawGrammar(readFileSync(path, 'utf8'), path)
    },
    getInjections: scope =>
      grammars.filter(each => each.injectTo?.includes(scope)).map(each => each.scopeName),
  })
  const grammar = await registry.loadGrammar('source.svc')
  if (grammar === null) throw new Error('package.json contributes no grammar source.svc')
  return grammar
}

function languageWith(name: string, comment: string, keyword: string): IRawGrammar {
  const grammar = {
    scopeName: `source.${name}`,
    patterns: [
      { match: `${comment}.*$`, name: `comment.line.${name}` },
      { begin: "'", end: "'", name: `string.quoted.single.${name}` },
      { match: keyword, name: `keyword.${name}` },
    ],
    repository: {},
  }
  return textmate.parseRawGrammar(JSON.stringify(grammar), `${name}.json`)
}
