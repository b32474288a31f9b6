import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { languages, type Task, tasks, Uri } from 'vscode'
import { fileUri, folder } from './documents.ts'
import { exitCodeOf } from './exit-code.ts'
import { until } from './until.ts'

async function taskNamed(name: string): Promise<Task> {
  const all = await tasks.fetchTasks({ type: 'svc' })
  const task = all.find(each => each.name === name)
  assert.ok(task !== undefined, `${name} among ${all.map(each => each.name).join(', ')}`)
  return task
}

describe('tasks', () => {
  it('offer what one runs often, in the environment that is picked', async () => {
    const names = (await tasks.fetchTasks({ type: 'svc' })).map(({ name }) => name)
    assert.deepEqual(names.toSorted(), [
      'freshness --env dev',
      'plan --env dev',
      'preview --env dev',
      'run --env dev',
      'test --env dev',
      'validate',
    ])
  })

  it('end with the exit code of svc: 0 for a project in order, 1 for one with a mistake', async () => {
    assert.equal(await exitCodeOf(await taskNamed('validate')), 0)
    const path = fileUri('models/wrong.svc').fsPath
    writeFileSync(path, 'name: wrong\ningest: none\ntransform: SELECT nothing_there FROM nowhere\n')
    try {
      assert.equal(await exitCodeOf(await taskNamed('validate')), 1)
    } finally {
      rmSync(path)
    }
  })

  it('of tasks.json run, and the problem matcher finds place, severity and code', async () => {
    const path = fileUri('models/wrong.svc').fsPath
    mkdirSync(fileUri('.vscode').fsPath, { recursive: true })
    const own = {
      label: 'check',
      type: 'svc',
      command: 'validate',
      args: ['--format', 'lines'],
      problemMatcher: '$svc',
    }
    writeFileSync(fileUri('.vscode/tasks.json').fsPath, JSON.stringify({ version: '2.0.0', tasks: [own] }))
    writeFileSync(path, "name: wrong\ningest: none\ntransform: SELECT x FROM {{ ref('nowhere') }}\n")
    try {
      const task = await until('the task of tasks.json', async () =>
        (await tasks.fetchTasks()).find(({ name }) => name === 'check'),
      )
      assert.equal(await exitCodeOf(task), 1)
      const found = await until('what the matcher and the server say', () => {
        const all = languages.getDiagnostics(Uri.file(path))
        return all.length >= 2 && all
      })
      assert.ok(
        found.every(({ range }) => range.start.line === 2),
        'the line of both is that of the ref',
      )
      assert.ok(found.every(({ message }) => message.includes('nowhere')))
    } finally {
      rmSync(path)
      rmSync(`${folder()}/.vscode`, { recursive: true })
    }
  })
})
