/**
 * The small icons of a kind, a status or a freshness: always a shape or a glyph with a word, never colour
 * alone.
 */
import { html, nothing, type TemplateResult } from 'lit'
import type { GraphNode } from '../graph/model.ts'

const statusGlyphs: Readonly<Record<GraphNode['status'], readonly [string, string, string]>> = {
  deployed: ['✓', 'pass', 'Deployed'],
  failed: ['✕', 'fail', 'Failed'],
  never: ['○', 'quiet', 'never run'],
  waiting: ['◌', 'quiet', 'waiting'],
  running: ['◐', 'warn', 'running'],
  done: ['✓', 'pass', 'done'],
  reused: ['✓', 'pass', 'reused'],
  skipped: ['–', 'quiet', 'skipped'],
}

/** Returns the node with the status of the run in progress, if it has one. */
export function withLive(node: GraphNode, live: ReadonlyMap<string, GraphNode['status']>): GraphNode {
  const status = live.get(node.id)
  return status === undefined ? node : { ...node, status }
}

export function kindMark(kind: string): TemplateResult {
  return html`<span class="kind ${kind}" aria-hidden="true"></span>`
}

/** Returns the mark of the status alone, with its word. */
export function statusMark(node: GraphNode): TemplateResult {
  if (node.kind === 'exposure') return html`<span class="quiet">outside</span>`
  const [glyph, role, word] = statusGlyphs[node.status]
  return html`<span class=${role}><span aria-hidden="true">${glyph}</span> ${word}</span>`
}

/** Returns the mark of what needs attention most: a failure, failed tests, or outdated data. */
export function stateMark(node: GraphNode): TemplateResult | typeof nothing {
  if (node.kind === 'exposure') return nothing
  const [glyph, role, word] = worst(node)
  return html`<span class="mark ${role}"><span aria-hidden="true">${glyph}</span><span class="unseen">${word}</span></span>`
}

function worst(node: GraphNode): readonly [string, string, string] {
  if (node.problems.errors > 0 && node.status !== 'running') return ['✕', 'fail', 'errors in its file']
  const isSettled = node.status === 'deployed' || node.status === 'done' || node.status === 'reused'
  if (!isSettled) return statusGlyphs[node.status]
  if (node.tests.failed > 0) return ['✕', 'fail', 'tests fail']
  if (node.freshness === 'error') return ['!', 'fail', 'freshness ERROR']
  if (node.tests.warned > 0) return ['!', 'warn', 'tests warn']
  if (node.freshness === 'warn') return ['!', 'warn', 'freshness WARN']
  return statusGlyphs[node.status]
}

export function freshnessMark(freshness: GraphNode['freshness']): TemplateResult {
  if (freshness === null) return html`<span class="quiet">–<span class="unseen">not watched</span></span>`
  const role = { ok: 'pass', warn: 'warn', error: 'fail' }[freshness]
  return html`<span class=${role}>${freshness.toUpperCase()}</span>`
}
