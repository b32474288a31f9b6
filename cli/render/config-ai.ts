/** Renders which language model answers, and which file says so. Never a key. */
import type { JsonOf } from '@svc/server/contract'
import { isReference, type KnownSettings, usualVariable } from '../engine/ai/settings.ts'
import type { Style } from './style.ts'
import { renderTable } from './table.ts'
import { wrap } from './width.ts'

type Environment = Readonly<Record<string, string | undefined>>

export function renderConfig(
  known: KnownSettings,
  written: string | undefined,
  env: Environment,
  style: Style,
): string[] {
  const { provider, model, endpoint } = known.settings
  const saved = written === undefined ? [] : [`Saved to ${written}`, '']
  if (provider === undefined) {
    const choose = 'No language model is configured: svc config ai --provider <provider> --model <model>'
    return [...saved, ...wrap(choose, style.width)]
  }
  const from = (key: keyof KnownSettings['from']) => known.from[key] ?? ''
  const { text, origin } = keyOf(known, env)
  const rows = [
    ['provider', provider, from('provider')],
    ['model', model ?? 'not chosen yet: --model <model>', from('model')],
    ['key', text, origin],
    ['endpoint', endpoint ?? "the provider's own", from('endpoint')],
  ]
  return [
    ...saved,
    ...renderTable([{ title: 'Setting' }, { title: 'Value' }, { title: 'From' }], rows, style),
  ]
}

export function configJson(
  known: KnownSettings,
  written: string | undefined,
  env: Environment,
): JsonOf<'config-ai'> {
  const { provider, model, endpoint } = known.settings
  const { text, origin, isThere } = keyOf(known, env)
  return {
    saved_to: written ?? null,
    provider: provider ?? null,
    model: model ?? null,
    endpoint: endpoint ?? null,
    api_key: { from: origin === '' ? null : origin, says: text, is_set: isThere },
  }
}

function keyOf({ settings, from }: KnownSettings, env: Environment) {
  const { provider, apiKey } = settings
  const usual = provider === undefined ? undefined : usualVariable(provider)
  const reference = apiKey ?? (usual === undefined ? undefined : `env:${usual}`)
  if (reference === undefined) return { text: 'none is needed', origin: '', isThere: false }
  const origin = from.apiKey ?? 'environment'
  if (!isReference(reference)) return { text: 'a key', origin, isThere: true }
  const isThere = (env[reference.slice('env:'.length).trim()] ?? '') !== ''
  return { text: `${reference} (${isThere ? 'set' : 'not set'})`, origin, isThere }
}
