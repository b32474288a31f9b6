/** What an agent may read without a tool: asset files, the glossary, schemas. The texts come from the commands that show them. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type McpServer, ResourceNotFoundError, ResourceTemplate } from '@modelcontextprotocol/server'
import type { Serving } from './command-runner.ts'

interface ListedAsset {
  readonly name: string
  readonly path: string
  readonly description: string | null
}

export function addResources(server: McpServer, serving: Serving, root: string): void {
  const assets = async (signal: AbortSignal) => {
    const { stdout, stderr, exitCode } = await serving.run(['ls', '--json'], signal)
    if (exitCode !== 0) throw new Error(stderr.trim())
    return (JSON.parse(stdout) as { readonly assets?: readonly ListedAsset[] }).assets ?? []
  }
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
          .filter(name => name.startsWith(value)),
    },
  })
  server.registerResource(
    'asset',
    template,
    { description: 'The file of an asset, as it is on disk.', mimeType: 'application/yaml' },
    async (uri, { name }, context) => {
      const wanted = decodeURIComponent(String(name))
      const found = (await assets(context.mcpReq.signal)).find(each => each.name === wanted)
      if (found === undefined) throw new ResourceNotFoundError(uri.href)
      const text = readFileSync(join(root, found.path), 'utf8')
      return { contents: [{ uri: uri.href, mimeType: 'application/yaml', text }] }
    },
  )
  addDocument(server, serving, {
    name: 'glossary',
    uri: 'svc://glossary',
    description: 'Terms, metrics, dimensions and policies.',
    words: ['glossary', 'export'],
  })
  for (const schema of ['asset', 'glossary', 'settings', 'ai-patch']) {
    addDocument(server, serving, {
      name: `schema-${schema}`,
      uri: `svc://schema/${schema}`,
      description: schemaOf[schema] ?? '',
      words: ['schema', schema],
    })
  }
}

const schemaOf: Readonly<Record<string, string>> = {
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

function addDocument(server: McpServer, { run }: Serving, { name, uri, description, words }: Document): void {
  const mimeType = 'application/json'
  server.registerResource(name, uri, { description, mimeType }, async (_uri, context) => {
    const { stdout, stderr, exitCode } = await run(words, context.mcpReq.signal)
    if (exitCode !== 0) throw new Error(stderr.trim())
    return { contents: [{ uri, mimeType, text: stdout }] }
  })
}
