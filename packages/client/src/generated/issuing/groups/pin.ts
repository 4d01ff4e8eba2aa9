/** The PIN of a card. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'

import type { ChangedPin, ChangePinBody, ChangePinHeaders } from '../types.ts'

/** The PIN of a card. */
export class PinGroup extends Group {
  /**
   * Set or change the PIN of a card.
   *
   * Sets the PIN of an ACTIVE card from an encrypted PIN block, unblocks the PIN and sends
   * PIN_CHANGE. Only tenants that are PCI compliant may call it. A block that cannot be decrypted,
   * whose PIN has another length than the product requires, or that holds the present PIN fails with
   * `pin_block_refused`; a weak PIN fails with `pin_refused`.
   *
   * Errors of its own: `pin_block_refused`, `pin_refused`, `pci_compliance_required`,
   * `card_not_active`, `pin_length_in_module`.
   *
   * `PUT /cards/{id}:changepin`
   */
  change(
    id: string,
    body: ChangePinBody,
    options?: RequestOptions & { headers?: ChangePinHeaders },
  ): Promise<ChangedPin> {
    return this.transport.send('PUT', path`/cards/${id}:changepin`, { body }, options)
  }
}
