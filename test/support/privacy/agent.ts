/** An agent that calls a tool of `svc mcp`, in memory. */
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { runner } from '../../../cli/commands/mcp.ts'
import { realWorld } from '../../../cli/commands/world.ts'
import { createServer } from '../../../cli/mcp/create-server.ts'

/** Returns all that the agent is told. */
export async function answerOfTool(
  root: string,
  name: string,
  input: Readonly<Record<string, unknown>>,
): Promise<string> {
  const world = { ...realWorld('tests'), cwd: root, env: { HOME: root } }
  const run = await runner({ version: '0.0.0', world })
  const server = createServer({ run, version: '0.0.0', environment: 'dev', allowsWriting: true })
  const [here, there] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([server.connect(there), client.connect(here)])
  try {
    return JSON.stringify(await client.callTool({ name, arguments: { ...input } }))
  } finally {
    await client.close()
  }
}
