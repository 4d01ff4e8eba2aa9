import { type UseFormReturnType, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { type FaultName, faultNames, faultOf, initial, type Typed } from './typed.ts'

export type RequestFields = UseFormReturnType<Typed>

/** The fields of a request; each is checked where it was typed. */
export function useRequest(card_id: string, currency: string): RequestFields {
  const { t } = useTranslation()
  const rule = (name: FaultName) => (_: unknown, typed: Typed) =>
    faultOf(name, typed) ? t(`simulator.faults.${name}`) : null
  return useForm<Typed>({
    initialValues: { ...initial, card_id, currency },
    validate: Object.fromEntries(faultNames.map((name) => [name, rule(name)])),
  })
}
