/** Runs the command of a tool, and says its outcome as the protocol wants it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Ended, Serving } from './command-runner.ts'
import type { Tool, ToolInput } from './tools.ts'

/** Longer ones take the place of what a model needs to remember. */
const mostCharacters = 200_000
const mostMinutes = 15

export async function callTool(
  { run, environment }: Serving,
  tool: Tool,
  input: ToolInput,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const words = [
    ...tool.words(input),
    ...(tool.hasEnvironment === true ? [`--env=${environment}`] : []),
    ...(tool.isJson === true ? [] : ['--json']),
  ]
  const timeout = AbortSignal.timeout(mostMinutes * 60_000)
  try {
    const ended = await withFile(tool.file?.(input), path =>
      run([...words, ...path], AbortSignal.any([signal, timeout])),
    )
    return resultOf(ended)
  } catch (error) {
    if (!timeout.aborted) throw error
    return failed(`error: it took longer than ${mostMinutes} minutes\nAsk for less: one asset, fewer rows.`)
  }
}

/** Gives the command a private file that is gone afterwards. */
async function withFile(
  text: string | undefined,
  use: (path: readonly string[]) => Promise<Ended>,
): Promise<Ended> {
  if (text === undefined) return await use([])
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
  try {
    const path = join(folder, 'patch.json')
    writeFileSync(path, text, { mode: 0o600 })
    return await use([path])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A check that failed is a result; an error is what the command could not do. */
function resultOf({ stdout, stderr }: Ended): CallToolResult {
  const value = read(stdout)
  if (value === undefined) return failed(stderr.trim())
  if (isRecord(value) && isRecord(value['error'])) return failed(errorText(value['error']))
  const text = JSON.stringify(value)
  if (text.length > mostCharacters) {
    return failed(
      `error: the answer has ${text.length} characters, more than ${mostCharacters}\nAsk for less: one asset, a path, fewer rows.`,
    )
  }
  return {
    content: [{ type: 'text', text }],
    ...(isRecord(value) && { structuredContent: value }),
  }
}

function errorText(error: Readonly<Record<string, unknown>>): string {
  const { code, message, hint, place } = error
  const where = isRecord(place) ? `\nat ${String(place['path'])}:${String(place['line'])}` : ''
  return `error: ${String(message)} [${String(code)}]${where}${typeof hint === 'string' ? `\n${hint}` : ''}`
}

function failed(text: string): CallToolResult {
  return {
    content: [{ type: 'text', text: text === '' ? 'error: the command said nothing' : text }],
    isError: true,
  }
}

function read(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
