/** The connections of a source: persistent, as many as it may use at the same time, through a proxy where the environment names one. */
import { Agent, type Dispatcher, EnvHttpProxyAgent } from 'undici'
import type { FetchContext } from '../source.ts'

export function createDispatcher(connections: number, env: FetchContext['env']): Dispatcher {
  const pool = { connections, pipelining: 1, keepAliveTimeout: 30_000 }
  const httpProxy = env['http_proxy'] ?? env['HTTP_PROXY']
  const httpsProxy = env['https_proxy'] ?? env['HTTPS_PROXY']
  if (!httpProxy && !httpsProxy) return new Agent(pool)
  const noProxy = `localhost,127.0.0.1,::1,${env['no_proxy'] ?? env['NO_PROXY'] ?? ''}`
  return new EnvHttpProxyAgent({
    ...pool,
    ...(httpProxy ? { httpProxy } : {}),
    ...(httpsProxy ? { httpsProxy } : {}),
    noProxy,
  })
}
