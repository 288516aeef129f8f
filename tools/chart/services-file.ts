import { chartServices, settingsOfOneService } from './service-facts.ts';

/** @returns deploy/chart/files/services.json, with a line for each fact */
export function servicesFile(): string {
  const services = [...chartServices()].map(([name, facts]) => {
    const lines = Object.entries(facts).map(([fact, value]) => `      "${fact}": ${JSON.stringify(value)}`);
    return `    "${name}": {\n${lines.join(',\n')}\n    }`;
  });
  return [
    '{',
    `  "settingsOfOneService": ${JSON.stringify(settingsOfOneService())},`,
    '  "services": {',
    services.join(',\n'),
    '  }',
    '}\n',
  ].join('\n');
}
