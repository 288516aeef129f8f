import { useId } from 'react';

/** A secret to read and select: always from left to right, and never sent to a translator. */
export function SecretValue({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <output id={id} className="secret-value" dir="ltr" translate="no" tabIndex={0} data-gramm="false">
        {value}
      </output>
    </div>
  );
}
