/** Servers on this machine that answer in the format of the real services that pages name. */
import { type RestServer, startRestServer } from '../support/rest-server.ts'

export interface Api {
  /** The address of the service as the page names it, and the one of the server that stands for it. */
  readonly stands: string
  readonly origin: string
  /** Returns the text of a file with the address of the server. */
  here(text: string): string
  /** `refuse 500` answers every request with that status, `accept` ends it. */
  behave(wish: string): void
  close(): Promise<void>
}

export async function startApi(description: string): Promise<Api> {
  const [name = '', stands = ''] = description.split(' ')
  const server = await startRestServer()
  if (name !== 'github-releases') throw new Error(`no API is called "${name}"`)
  githubReleases(server)
  return {
    stands,
    origin: server.origin,
    here: text =>
      text
        .replaceAll(stands, server.origin)
        .replace(/(?<=endpoint: .*\n)(?! *limits)/, '  limits: {retries: 0}\n'),
    behave(wish) {
      const [, status] = /^refuse (\d+)$/.exec(wish) ?? []
      server.refuse(() => (status === undefined ? undefined : Number(status)))
    },
    close: () => server.close(),
  }
}

/** Two pages of releases with their files, and a Link header, as api.github.com answers. */
function githubReleases(server: RestServer): void {
  const path = '/repos/duckdb/duckdb/releases'
  server.route(path, (request, response) => {
    const page = Number(request.query.get('page') ?? 1)
    const size = Number(request.query.get('per_page') ?? 30)
    const next = `<${server.origin}${path}?per_page=${size}&page=${page + 1}>; rel="next"`
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      ...(page * size < releases.length && { link: next }),
    })
    response.end(JSON.stringify(releases.slice((page - 1) * size, page * size)))
  })
}

const names = ['duckdb_cli-linux-amd64.zip', 'duckdb_cli-osx-universal.zip', 'libduckdb-windows-amd64.zip']

const releases = Array.from({ length: 62 }, (_, index) => {
  const number = 62 - index
  const [major, minor, patch] = [Math.floor(number / 40), Math.floor((number % 40) / 4), number % 4]
  return {
    id: 1000 + number,
    tag_name: `v${major}.${minor}.${patch}`,
    name: `DuckDB ${major}.${minor}.${patch}`,
    draft: false,
    prerelease: false,
    published_at: new Date(Date.UTC(2020, number, 1, 12)).toISOString().replace('.000', ''),
    author: { login: 'duckdb-release', id: 1 },
    assets: names.map((name, place) => ({
      id: number * 10 + place,
      name,
      size: 10_000_000 + number,
      download_count: number * 1000 + (3 - place) * 100,
    })),
  }
})
