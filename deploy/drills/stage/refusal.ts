import { DrillFault } from '../fault.ts'
import type { Transcript } from '../transcript.ts'
import { type Environment, runToEnd } from './platform.ts'

/** Prints why the program of `root` does not start; a fault where it does. */
export async function refuse(
  transcript: Transcript,
  env: Environment,
  how: string,
  root?: string,
): Promise<void> {
  const { code, output } = await runToEnd(['src/main.ts'], env, root)
  if (code !== 1) throw new DrillFault(`it started ${how}: ${output}`)
  transcript.print(`${how}: exit code ${code}`)
  transcript.print(output.trimEnd())
}
