/** `clock show|advance|set`: the clock of the tenant, in a sandbox. */

import { Command } from 'commander'
import { type ApiOptions, apiCommand, withExamples } from '../kit/command.ts'
import { UsageFault } from '../kit/faults.ts'
import { apiPlatformOf, clientOf } from '../kit/platform.ts'
import { print } from '../kit/print.ts'
import { jsonOf, visible } from '../kit/text.ts'

const UNITS: Record<string, string> = { d: 'D', w: 'W', h: 'H', m: 'M', s: 'S' }

/** `30d`, `36h`, `1d12h` or an ISO 8601 duration. Months and years are those of ISO: `P1M`. */
function durationOf(text: string): string {
  if (/^P\w+$/i.test(text)) return text.toUpperCase()
  const parts = [...text.matchAll(/(?<!\d)(\d+)([dwhms])/gi)]
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== text) {
    throw new UsageFault(`${text} is no duration: use 30d, 36h, 1d12h or P1M`)
  }
  const written = parts.map(([, count, unit = '']) => [count, UNITS[unit.toLowerCase()]] as const)
  const of = (units: string) =>
    written.filter(([, unit = '']) => units.includes(unit)).map(([n, unit]) => `${n}${unit}`)
  const time = of('HMS')
  return `P${of('WD').join('')}${time.length > 0 ? `T${time.join('')}` : ''}`
}

export function clockCommand(): Command {
  const clock = new Command('clock').description('Shows or moves the clock of the tenant.')
  clock.addCommand(
    withExamples(apiCommand('show'), ['clock show'])
      .summary('show the time of the tenant')
      .action(async (options: ApiOptions) => {
        const found = await clientOf(apiPlatformOf(options)).simulation.getClock()
        print(options.json ? jsonOf(found) : visible(found.now))
      }),
  )
  clock.addCommand(
    withExamples(apiCommand('advance'), ['clock advance 30d', 'clock advance 1d12h'])
      .summary('move it by a duration')
      .argument('<duration>', '30d, 36h, 1d12h or an ISO 8601 duration')
      .action((text: string, options: ApiOptions) => move({ advance: durationOf(text) }, options)),
  )
  clock.addCommand(
    withExamples(apiCommand('set'), ['clock set 2030-01-01T00:00:00Z'])
      .summary('set it to a time')
      .argument('<time>', 'an ISO 8601 time, as 2026-12-31T23:59:00Z')
      .action((now: string, options: ApiOptions) => move({ now }, options)),
  )
  return withExamples(clock, ['clock show', 'clock advance 30d', 'clock set 2030-01-01T00:00:00Z'])
}

async function move(body: { advance: string } | { now: string }, options: ApiOptions) {
  const moved = await clientOf(apiPlatformOf(options)).simulation.moveClock(body)
  print(options.json ? jsonOf(moved) : visible(`it is ${moved.now}`))
}
