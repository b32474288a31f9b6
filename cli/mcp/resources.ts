/** What an agent may read without a tool: asset files, the glossary, schemas. The texts come from the commands that show them. */
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import { mostCharacters, read } from './call-tool.ts'
import type { Serving } from './command-runner.ts'
import { hiding } from './hide-values.ts'

/** What the protocol allows in one answer. */
const mostCompletions = 100

interface ListedAsset {
  readonly name: string
  readonly path: string
  readonly description: string | null
}

export function addResources(server: McpServer, serving: Serving): void {
  const assets = async (signal: AbortSignal) =>
    ((await answerOf(serving, ['ls', '--json'], signal))['assets'] ?? []) as readonly ListedAsset[]
  const template = new ResourceTemplate('svc://asset/{name}', {
    list: async context => ({
      resources: (await assets(context.mcpReq.signal)).map(({ name, path, description }) => ({
        uri: `svc://asset/${encodeURIComponent(name)}`,
        name,
        title: path,
        ...(description !== null && { description }),
        mimeType: 'application/yaml',
      })),
    }),
    complete: {
      name: async value =>
        (await assets(new AbortController().signal))
          .map(({ name }) => name)
          .filter(name => name.startsWith(value))
          .slice(0, mostCompletions),
    },
  })
  server.registerResource(
    'asset',
    template,
    {
      description: 'The file of an asset as it is on disk; credentials and personal values are ***.',
      mimeType: 'application/yaml',
    },
    async (uri, { name }, context) => {
      const { signal } = context.mcpReq
      const wanted = decoded(String(name))
      const found = (await assets(signal)).find(each => each.name === wanted)
      if (found === undefined) throw new ResourceNotFoundError(uri.href)
      const { text } = await answerOf(serving, ['inspect', found.path, '--json'], signal)
      if (typeof text !== 'string') throw new Error(`${found.path} is a link that leads out of the project`)
      return { contents: [{ uri: uri.href, mimeType: 'application/yaml', text: short(text) }] }
    },
  )
  addDocument(server, serving, {
    name: 'glossary',
    uri: 'svc://glossary',
    description: 'Terms, metrics, dimensions and policies.',
    words: ['glossary', 'export'],
  })
  for (const [schema, description] of Object.entries(schemas)) {
    const uri = `svc://schema/${schema}`
    addDocument(server, serving, { name: `schema-${schema}`, uri, description, words: ['schema', schema] })
  }
}

const schemas = {
  asset: 'JSON Schema of a .svc file, with what each key means.',
  glossary: 'JSON Schema of glossary.yaml.',
  settings: 'JSON Schema of svc.yaml.',
  'ai-patch': 'JSON Schema of a patch for check_patch and apply_patch.',
}

interface Document {
  readonly name: string
  readonly uri: string
  readonly description: string
  readonly words: readonly string[]
}

function addDocument(server: McpServer, serving: Serving, { name, uri, description, words }: Document): void {
  const mimeType = 'application/json'
  server.registerResource(name, uri, { description, mimeType }, async (_uri, context) => {
    const value = await answerOf(serving, words, context.mcpReq.signal)
    return { contents: [{ uri, mimeType, text: short(JSON.stringify(value, undefined, 2)) }] }
  })
}

/** Returns what a command prints as JSON, also when it is about a file with errors. */
async function answerOf(
  { run }: Serving,
  words: readonly string[],
  signal: AbortSignal,
): Promise<Readonly<Record<string, unknown>>> {
  const { stdout, stderr, personal } = await run(words, signal)
  const hide = hiding(personal)
  const value = read(stdout) as Readonly<Record<string, unknown>> | undefined
  if (value === undefined || 'error' in value) throw new Error(hide.inText(stderr.trim()))
  return hide.inValue(value) as Readonly<Record<string, unknown>>
}

function short(text: string): string {
  if (text.length <= mostCharacters) return text
  throw new Error(
    `it has ${text.length} characters, more than ${mostCharacters}: read a part of it by a tool`,
  )
}

/** A name that is not encoded as an address is the name of no asset. */
function decoded(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch {
    return undefined
  }
}
