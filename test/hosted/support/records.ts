/** Records that many tests begin with. */
import type { Answer, Client } from './client.ts'
import type { Hosted } from './engines.ts'

export const glossary = '/api/svc/glossary'

let count = 0

/** A name that no other test has. */
export function newName(word: string): string {
  count += 1
  return `${word} ${count}`
}

/** The body of the answer's record; fails when it is no success. */
export async function make(
  client: Client,
  plural: string,
  body: Readonly<Record<string, unknown>>,
  // biome-ignore lint/suspicious/noExplicitAny: tests look into records of every shape
): Promise<any> {
  const answer = await client.post(`${glossary}/${plural}`, body)
  if (answer.status !== 201) throw new Error(`${plural}: ${answer.status} ${answer.text}`)
  return Object.values(answer.body as object).find(value => typeof value === 'object')
}

export function makeTerm(hosted: Hosted, more: Readonly<Record<string, unknown>> = {}) {
  return make(hosted.admin, 'terms', { project: 1, name: newName('Term'), ...more })
}

/** An asset as an upload would leave it. */
export async function makeAsset(hosted: Hosted, name: string, project = 1): Promise<number> {
  const now = new Date().toISOString()
  const row = await hosted.service.storage.write(tx =>
    tx.first(
      `insert into asset (project_id, identifier, name, path, created_at, updated_at) values (?, ?, ?, ?, ?, ?) returning id`,
      [project, `asset.${name}`, name, `models/${name}.svc`, now, now],
    ),
  )
  return Number(row?.['id'])
}

export async function makeProject(hosted: Hosted): Promise<number> {
  const now = new Date().toISOString()
  const row = await hosted.service.storage.write(async tx => {
    const made = await tx.first(
      `insert into project (name, created_at, created_by, updated_at, updated_by) values (?, ?, 'test', ?, 'test') returning id`,
      [newName('Project'), now, now],
    )
    tx.record({
      project: Number(made?.['id']),
      action: 'project.create',
      target: `project:${made?.['id']}`,
      actor: 'test',
      requestId: 'test',
    })
    return made
  })
  return Number(row?.['id'])
}

/** Pointers of what is wrong, sorted. */
export function pointers(answer: Answer): readonly string[] {
  return ((answer.body.errors ?? []) as { pointer: string }[]).map(({ pointer }) => pointer).sort()
}
