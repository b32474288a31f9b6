/** Every suite that runs in the extension host. */
import './language.suite.ts'
