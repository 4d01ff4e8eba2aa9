/** Whether every part of the platform is at work. */
import { Group, type RequestOptions } from '../../../core/group.ts'

import type { Health } from '../types.ts'

/** Whether every part of the platform is at work. */
export class HealthGroup extends Group {
  /**
   * Get the health of the platform.
   *
   * Says whether every part of the platform is at work: a part is UP where one of its processes was
   * seen within 15 s, and DOWN where none was within 60 s.
   *
   * `GET /health`
   */
  get(options?: RequestOptions): Promise<Health> {
    return this.transport.send('GET', '/health', {}, options)
  }
}
