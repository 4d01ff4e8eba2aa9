/** Decisions that proposed controls would have made. */
import { Group, path, type RequestOptions } from '../../../core/group.ts'
import type { List } from '../../../core/lists.ts'
import type {
  Backtest,
  CancelBacktestHeaders,
  CreateBacktestBody,
  ListBacktestsQuery,
} from '../types.ts'

/** Decisions that proposed controls would have made. */
export class BacktestsGroup extends Group {
  /**
   * Backtest settings, lists and limits.
   *
   * Decides the stored decisions of a period again with proposed settings, lists and limits, and
   * reports which would turn. It runs as a job: the answer has the status RUNNING. Nothing but the
   * backtest itself is written. At most five run at one time (`backtests_running`).
   *
   * Errors of its own: `id_taken`, `backtests_running`.
   *
   * `POST /controls:backtest`
   */
  create(body: CreateBacktestBody, options?: RequestOptions): Promise<Backtest> {
    return this.transport.send('POST', '/controls:backtest', { body, keyed: true }, options)
  }

  /**
   * List backtests.
   *
   * Lists the backtests of the tenant, newest first, in pages.
   *
   * Errors of its own: `cursor_invalid`.
   *
   * `GET /controls/backtests`
   */
  list(query?: ListBacktestsQuery, options?: RequestOptions): List<Backtest> {
    return this.transport.list('GET', '/controls/backtests', { query }, options)
  }

  /**
   * Get a backtest.
   *
   * Answers a backtest with its progress and with what it has found so far. It is deleted 30 days
   * after it was created.
   *
   * `GET /controls/backtests/{id}`
   */
  get(id: string, options?: RequestOptions): Promise<Backtest> {
    return this.transport.send('GET', path`/controls/backtests/${id}`, {}, options)
  }

  /**
   * Cancel a backtest.
   *
   * Ends a running backtest; its results so far stay. Fails with `backtest_ended` if it is COMPLETED
   * or FAILED.
   *
   * Errors of its own: `backtest_ended`.
   *
   * `POST /controls/backtests/{id}:cancel`
   */
  cancel(
    id: string,
    options?: RequestOptions & { headers?: CancelBacktestHeaders },
  ): Promise<Backtest> {
    return this.transport.send(
      'POST',
      path`/controls/backtests/${id}:cancel`,
      { keyed: true },
      options,
    )
  }
}
