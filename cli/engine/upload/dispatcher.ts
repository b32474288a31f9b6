/** How requests to the hosted store leave this machine. */
import { Agent, EnvHttpProxyAgent } from 'undici'

/** The usual environment variables set a proxy, as for sources. */
export function dispatcherOf(env: Readonly<Record<string, string | undefined>>): Agent | EnvHttpProxyAgent {
  const httpProxy = env['http_proxy'] ?? env['HTTP_PROXY']
  const httpsProxy = env['https_proxy'] ?? env['HTTPS_PROXY']
  if (!httpProxy && !httpsProxy) return new Agent()
  const noProxy = `localhost,127.0.0.1,::1,${env['no_proxy'] ?? env['NO_PROXY'] ?? ''}`
  return new EnvHttpProxyAgent({
    ...(httpProxy && { httpProxy }),
    ...(httpsProxy && { httpsProxy }),
    noProxy,
  })
}
