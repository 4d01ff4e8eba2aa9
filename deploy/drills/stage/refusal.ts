import { DrillFault } from '../fault.ts'
import type { Transcript } from '../transcript.ts'
import { type Environment, runToEnd } from './platform.ts'

/** Prints why the program does not start; a fault where it does. */
export async function refuse(transcript: Transcript, env: Environment, how: string): Promise<void> {
  const { code, output } = await runToEnd(['src/main.ts'], env)
  if (code !== 1) throw new DrillFault(`it started ${how}: ${output}`)
  transcript.print(`${how}: exit code ${code}`)
  transcript.print(output.trimEnd())
}
