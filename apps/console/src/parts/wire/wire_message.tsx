import {
  IconArrowDownLeft,
  IconArrowUpRight,
  IconChevronRight,
  IconLock,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { WireField, WireMessage } from '../../api/types.ts'
import { wire } from '../../i18n/en/wire.ts'
import { Copy } from '../copy.tsx'
import { Code, When } from '../values.tsx'
import styles from './wire.module.css'

type WireMessageProps = {
  message: WireMessage
  /** Whether its fields are shown at first. */
  isOpen?: boolean
}

/** One message of the card network: its kind, and when opened, each of its fields. */
export function WireMessageCard({ message, isOpen = false }: WireMessageProps) {
  const { t } = useTranslation()
  const { direction, mti, at, bytes, fields, source } = message
  const code = direction === 'SENT' ? fields.find(({ number }) => number === '39') : undefined
  const Arrow = direction === 'SENT' ? IconArrowUpRight : IconArrowDownLeft
  return (
    <details className={styles['message']} open={isOpen}>
      <summary>
        <IconChevronRight
          size={16}
          aria-hidden
          className={`${styles['icon']} ${styles['chevron']}`}
        />
        <Arrow
          size={16}
          role="img"
          aria-label={t(direction === 'SENT' ? 'wire.sent' : 'wire.received')}
          className={styles['icon']}
        />
        <Code>{mti}</Code>
        <span className={styles['name']}>{isKnown(mti) && t(`wire.types.${mti}`)}</span>
        {source === 'SIMULATED' && <span className={styles['mark']}>{t('wire.simulated')}</span>}
        {code && <ResponseCode code={code.value} />}
        <span className={styles['facts']}>
          {t('wire.bytes', { count: bytes })} · <When at={at} />
        </span>
      </summary>
      <div className={styles['tools']}>
        <span>{t('wire.copy_hint')}</span>
        <Copy text={JSON.stringify(message, null, 2)} />
      </div>
      <Fields mti={mti} fields={fields} />
    </details>
  )
}

type Known = keyof typeof wire.types

const isKnown = (mti: string): mti is Known => Object.hasOwn(wire.types, mti)

/** Approved, also in part, or acknowledged. */
const GOOD: ReadonlySet<string> = new Set(['00', '08', '10', '11', '85'])

function ResponseCode({ code }: { code: string }) {
  const { t } = useTranslation()
  return (
    <span
      dir="ltr"
      className={styles['code']}
      data-tone={GOOD.has(code) ? 'good' : 'bad'}
      title={t('wire.response')}
    >
      {`39 = ${code}`}
    </span>
  )
}

function Fields({ mti, fields }: { mti: string; fields: readonly WireField[] }) {
  const { t } = useTranslation()
  return (
    <table className={styles['fields']} aria-label={mti}>
      <thead>
        <tr>
          <th scope="col">{t('wire.field')}</th>
          <th scope="col">{t('wire.name')}</th>
          <th scope="col">{t('wire.value')}</th>
        </tr>
      </thead>
      <tbody>
        {fields.flatMap(({ subfields = [], ...field }) => [
          <Field key={field.number} field={field} />,
          ...subfields.map((part) => (
            <Field key={`${field.number}.${part.number}`} field={part} isPart />
          )),
        ])}
      </tbody>
    </table>
  )
}

type FieldProps = { field: Omit<WireField, 'subfields'>; isPart?: boolean }

function Field({ field: { number, name, value, masked }, isPart = false }: FieldProps) {
  const { t } = useTranslation()
  return (
    <tr data-part={isPart}>
      <th scope="row">
        <Code>{number}</Code>
      </th>
      <td>
        <bdi dir="ltr">{name}</bdi>
      </td>
      <td className={styles['value']} data-masked={masked}>
        <Code>{value}</Code>
        {masked && (
          <IconLock size={14} role="img" aria-label={t('wire.masked')} className={styles['lock']} />
        )}
      </td>
    </tr>
  )
}
