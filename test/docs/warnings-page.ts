/** The page of the warnings of runs, made from what the program says of each. */
import { warningCodes } from '../../server/contract/warnings.ts'

/** Returns the text of docs/warnings.md. */
export function warningsPage(): string {
  const codes = Object.entries(warningCodes).sort(([a], [b]) => (a < b ? -1 : 1))
  return [
    '# Warnings of a run\n',
    'A run that ends with exit code 0 and without a warning has done everything that was asked of it, and every row is there. What',
    'is not as it should be, and is no reason to refuse it, is a warning with a code, a sentence, a count and an example.\n',
    'A warning is shown once and kept: on the terminal and in pipes while the run works, in the last line as a count ("Deployed with',
    '2 warnings"), in `--json` (`warnings`), as an event of `--log-format json` (`"type": "warning"`), in the record of the run',
    '(`svc_state_history.warnings`), in `svc status`, in the catalogue, the dashboard and the editor beside the asset. It stays there as',
    'long as the build is live that it is about.\n',
    '```sh',
    'svc run --strict    # new warnings fail the run before its promotion',
    '```\n',
    'New is what the last run that made or verified the live build did not have: another code, another example, a larger count, or a test',
    'with `severity: warn` that passed before. `warnings: fail` of an environment in `svc.yaml` makes all its runs and previews strict:\n',
    '```yaml',
    'name: shop',
    'environments:',
    '  prod:',
    '    warnings: fail',
    '```\n',
    'To accept a warning, run once without `--strict`: from then on it is known.\n',
    '| code | means |',
    '|---|---|',
    ...codes.map(([code, means]) => `| \`${code}\` | ${means} |`),
    '',
  ].join('\n')
}
