import { materializationOf } from '../materialize/index.ts'
import { locate } from '../project/locate.ts'
import type { Asset, Project } from '../project/project.ts'
import type { ForeignKey } from '../schema/definition.ts'
import type { Finding, ProjectCheck } from './check.ts'
import { removeHere } from './fix.ts'

export const constraintImpossible: ProjectCheck = {
  code: 'constraint-impossible',
  doc: 'A key of `contract.constraints` that no table can have: of a view, or one that names rows which nothing tells apart.',
  *run(asset, { project }) {
    const { contract, deploy } = asset.definition
    if (contract?.constraints === undefined) return
    if (materializationOf(deploy.materialize).relation === 'view') {
      yield {
        range: locate(asset, ['contract', 'constraints'], 'key'),
        message: `${deploy.materialize === 'view' ? 'a view' : 'an ephemeral asset'} has no rows of its own that a key could hold for`,
        hint: 'Write "materialize: table", or test its columns.',
      }
      return
    }
    for (const [index, key] of contract.constraints.foreignKeys.entries()) {
      const finding = keyProblem(asset, key, index, project)
      if (finding !== undefined) yield finding
    }
  },
  fix: (problem, asset) => removeHere(problem, asset, 'Remove it'),
}

function keyProblem(asset: Asset, key: ForeignKey, index: number, project: Project): Finding | undefined {
  const { columns, references, to } = key
  const path = ['contract', 'constraints', 'foreign_keys', index]
  const named = project.byName.get(references)
  if (named === undefined) return undefined
  const range = locate(asset, [...path, 'references'])
  const { deploy, contract } = named.definition
  if (materializationOf(deploy.materialize).relation === 'view') {
    return {
      range,
      message: `"${references}" is no table, and a foreign key names the rows of one`,
      hint: `Write "materialize: table" in ${named.path}, or test the columns.`,
    }
  }
  const { primaryKey = [], unique = [] } = contract?.constraints ?? {}
  const wanted = to.length > 0 ? to : primaryKey
  const fold = (names: readonly string[]) =>
    names
      .map(name => project.engine.fold(name))
      .sort()
      .join(' ')
  if (wanted.length > 0 && wanted.length !== columns.length) {
    return {
      range: locate(asset, path),
      message: `a foreign key of ${counted(columns.length)} cannot name ${counted(wanted.length)} of ${references}`,
      hint: 'Write as many columns in "to" as in "columns", in the same order.',
    }
  }
  const keys = [primaryKey, ...unique, ...deploy.indexes.filter(isKey).map(({ columns: own }) => own)]
  if (wanted.length > 0 && keys.some(each => fold(each) === fold(wanted))) return undefined
  const what = wanted.length === 0 ? 'has no primary key' : `has no key of ${wanted.join(', ')}`
  const entry = wanted.length === 0 ? '…' : wanted.length === 1 ? wanted[0] : `[${wanted.join(', ')}]`
  return {
    range,
    message: `"${references}" ${what}, so that several of its rows could be meant`,
    hint: `Write contract: {constraints: {primary_key: ${entry}}} in ${named.path}.`,
  }
}

function isKey({ unique, where }: { readonly unique: boolean; readonly where?: string }): boolean {
  return unique && where === undefined
}

function counted(number: number): string {
  return `${number} ${number === 1 ? 'column' : 'columns'}`
}
