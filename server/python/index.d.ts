import { type PythonTools } from '../language/index.ts'
/** One for the process. Rejects where ruff's file is missing from the installation. */
export declare function openPython(): Promise<PythonTools>
