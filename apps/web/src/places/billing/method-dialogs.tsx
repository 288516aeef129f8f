import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useClient } from '../../session/session-context.js';
import { billingTexts as texts } from '../../texts/billing.js';
import { ConfirmDialog, FormDialog } from '../../ui/dialog.js';
import { Field } from '../../ui/field.js';
import { toast } from '../../ui/toast.js';
import { billingErrorText } from './billing-error-text.js';
import { billingKeys, type PaymentMethod } from './use-billing.js';

/** Adds the payment by bank transfer, where no payment provider is connected. */
export function AddMethodDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useClient();
  const queries = useQueryClient();
  const [label, setLabel] = useState('');
  const add = async () => {
    await client.POST('/v1/billing/payment-methods', { body: { label: label.trim() } });
    await queries.invalidateQueries({ queryKey: billingKeys.methods });
    toast(texts.methodAdded);
  };
  return (
    <FormDialog
      title={texts.addMethod}
      submit={texts.addMethod}
      isDisabled={label.trim() === ''}
      act={add}
      explain={billingErrorText}
      onClose={onClose}
    >
      <Field
        label={texts.label}
        hint={texts.labelHint}
        value={label}
        onChange={setLabel}
        autoComplete="off"
        maxLength={100}
        autoFocus
      />
    </FormDialog>
  );
}

interface RemoveProps {
  readonly method: PaymentMethod;
  readonly onClose: () => void;
}

export function RemoveMethodDialog({ method, onClose }: RemoveProps) {
  const client = useClient();
  const queries = useQueryClient();
  const remove = async () => {
    const params = { path: { payment_method_id: method.payment_method_id } };
    await client.DELETE('/v1/billing/payment-methods/{payment_method_id}', { params });
    await queries.invalidateQueries({ queryKey: billingKeys.methods });
    toast(texts.removed);
  };
  return (
    <ConfirmDialog
      title={texts.removeTitle}
      text={texts.removeText}
      confirm={texts.remove}
      act={remove}
      onClose={onClose}
    />
  );
}
