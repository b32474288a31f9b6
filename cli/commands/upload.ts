/** `svc upload`: sends the project's context pack to the hosted store (decisions 3, interface.md 2.8). */
import { type Command, environmentOption, jsonOption } from './command.ts'
import { renewFiles } from './renew-files.ts'

export const uploadCommand: Command = {
  name: 'upload',
  brief: 'send the project to the hosted store',
  summary: 'Send assets, lineage, schemas, tests, versions and glossary to the hosted metadata store.',
  arguments: [],
  options: [
    { ...environmentOption, summary: 'environment whose versions and test results are sent' },
    { name: 'project', value: 'number', summary: 'project in the store; else SVC_HOSTED_PROJECT, else 1' },
    { name: 'url', value: 'url', summary: 'address of the store, or env:NAME; else SVC_HOSTED_URL' },
    { name: 'token', value: 'env:NAME', summary: 'variable with the token; else SVC_HOSTED_TOKEN' },
    { name: 'source', value: 'name', summary: 'where the upload comes from', default: 'cli' },
    { name: 'rebind', summary: 'take over a project of the store that holds another one' },
    { name: 'overwrite-glossary', summary: 'also replace glossary entries that were edited in the store' },
    { name: 'dry-run', summary: 'show what would change and what it breaks; store nothing' },
    jsonOption,
  ],
  examples: [
    { line: 'svc upload --env prod --project 3', says: 'after a run, as in CI' },
    { line: 'svc upload --dry-run', says: 'what would change, and what that breaks' },
  ],
  exitCodes: {
    0: 'stored, or nothing had changed',
    1: 'the project has errors, or with --dry-run: a change breaks readers or a policy',
    2: 'wrong usage or no project',
    3: 'the store refused it or cannot be reached',
  },
  async run(context) {
    const { options, world, signal } = context
    const { hostedTarget } = await import('../engine/upload/hosted-target.ts')
    const target = hostedTarget(
      { url: options.text('url'), token: options.text('token'), project: options.text('project') },
      world.env,
    )
    const workspace = await context.openWorkspace()
    const wasDeployed = await renewFiles(context, workspace)
    const { makePack } = await import('../engine/upload/make-pack.ts')
    const { uploadPack } = await import('../engine/upload/upload.ts')
    const { breaksSomething, renderUpload } = await import('../render/upload.ts')
    const pack = await makePack(workspace, wasDeployed)
    const answer = await uploadPack(pack, target, {
      source: options.text('source') ?? 'cli',
      dryRun: options.flag('dry-run'),
      rebind: options.flag('rebind'),
      overwriteGlossary: options.flag('overwrite-glossary'),
      env: world.env,
      signal,
      onWait: line => context.output.err.lines([line]),
    })
    return {
      exitCode: breaksSomething(answer) ? 1 : 0,
      text: style => renderUpload(answer, { pack, target }, style),
      json: answer,
    }
  },
}
