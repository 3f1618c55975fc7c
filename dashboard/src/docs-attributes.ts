// Attributes that Swagger UI lacks for people who use a screen reader or the keyboard alone.

type Value = string | ((element: Element) => string);

const ATTRIBUTES: readonly (readonly [selector: string, name: string, value: Value])[] = [
  ['pre', 'tabindex', '0'], // long ones scroll
  ['[data-param-name] :is(input, select, textarea)', 'aria-label', parameterOf],
  ['.body-param__text', 'aria-label', 'Request body'],
  ['.responses-table[role]', 'role', 'table'],
  ['.json-schema-2020-12-accordion:not(:has(.json-schema-2020-12__title))', 'aria-label', 'Schema'],
  ['.webhooks > h2', 'aria-level', '3'],
  ['.close-modal', 'aria-label', 'Close'],
  ['.modal-btn[aria-label]', 'aria-label', (button) => button.textContent ?? ''],
];

/** Sets them, now and whenever something is drawn. */
export function completeAttributes(root: Element): void {
  new MutationObserver(() => complete(root)).observe(root, { childList: true, subtree: true });
}

function complete(root: Element): void {
  for (const [selector, name, value] of ATTRIBUTES)
    for (const element of root.querySelectorAll(selector))
      element.setAttribute(name, typeof value === 'string' ? value : value(element));
}

function parameterOf(control: Element): string {
  return control.closest('[data-param-name]')!.getAttribute('data-param-name')!;
}
