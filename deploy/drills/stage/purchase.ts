import { connectAcquirer } from '#test/support/network/acquirer.ts'
import { sale } from '#test/support/network/messages.ts'
import { DrillFault } from '../fault.ts'

/** Buys for 1.00 over ISO 8583 at a process, on a connection of its own; a fault where declined. */
export async function buyAt(port: number, pan: string): Promise<string> {
  const network = await connectAcquirer({ port })
  await network.signOn()
  const answer = await network.send(sale({ pan, amount: 100n }))
  await network.close()
  const code = answer.fields[39] ?? 'none'
  if (code !== '00') throw new DrillFault(`the purchase is declined with ${code}`)
  return code
}
