/**
 * The small icons of a kind, a status or a freshness: always a shape or a glyph with a word, never colour
 * alone.
 */
import { html, nothing, type TemplateResult } from 'lit'
import { lookOfNode } from '../graph/asset-state.ts'
import type { GraphNode } from '../graph/model.ts'

/** Returns the node with the status of the run in progress, if it has one. */
export function withLive(node: GraphNode, live: ReadonlyMap<string, GraphNode['status']>): GraphNode {
  const status = live.get(node.id)
  return status === undefined ? node : { ...node, status }
}

export function kindMark(kind: string): TemplateResult {
  return html`<span class="kind ${kind}" aria-hidden="true"></span>`
}

/** Returns the mark of its state, with its word. */
export function statusMark(node: GraphNode): TemplateResult {
  if (node.kind === 'exposure') return html`<span class="quiet">outside</span>`
  const { glyph, role, word } = lookOfNode(node)
  return html`<span class=${role}><span aria-hidden="true">${glyph}</span> ${word}</span>`
}

/** Returns the mark of its state, whose word is only for screen readers. */
export function stateMark(node: GraphNode): TemplateResult | typeof nothing {
  if (node.kind === 'exposure') return nothing
  const { glyph, role, word } = lookOfNode(node)
  return html`<span class="mark ${role}" title=${word}><span aria-hidden="true">${glyph}</span><span class="unseen">${word}</span></span>`
}

export function freshnessMark(freshness: GraphNode['freshness']): TemplateResult {
  if (freshness === null) return html`<span class="quiet">–<span class="unseen">not watched</span></span>`
  const role = { ok: 'pass', warn: 'warn', error: 'fail' }[freshness]
  return html`<span class=${role}>${freshness.toUpperCase()}</span>`
}
