// Reads out strips of days or weeks and charts under the pointer, on tap and by the arrow keys. Without it, a strip is a link and a chart a picture with a table below.
(() => {
  // As in the rest of the page: the language alone would mean American dates.
  const language = document.documentElement.lang.replace(/^en$/, 'en-GB');
  const dayOf = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  /** In the time zone of the site, as all clock times. */
  const hoursIn = (timeZone) =>
    new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', timeZone });
  const DAY_MS = 86_400_000;
  let tip = null;
  let shown = null;
  let hiding;

  function make(name, text, more) {
    return Object.assign(document.createElement(name), { textContent: text }, more);
  }

  /** The number of days or values, the first one with a check, when the first one is, and the time from one to the next. */
  function numberOf(box, name) {
    return Number(box.dataset[name]);
  }

  /** A bar is 7 wide, and the gap after it 3. After the last bar there is none. */
  const BAR = 0.7;

  function partsOf(box) {
    return box.matches('.strip') ? numberOf(box, 'count') - 1 + BAR : Math.max(1, numberOf(box, 'count') - 1);
  }

  function dateOf(box, index) {
    return numberOf(box, 'start') + index * numberOf(box, 'step');
  }

  function factsOf(box, index) {
    const texts = box.dataset.texts.split('\t');
    if (!box.matches('.strip')) {
      const values = [box.dataset.p50, box.dataset.p95].map((list) => list.split(',')[index]);
      const format = numberOf(box, 'step') < DAY_MS ? hoursIn(box.dataset.zone) : dayOf;
      // A median below zero is the place of the text for an hour or a day without an answer.
      const lines = values[0] < 0 ? [texts[-values[0]]] : values.map((value, which) => `${texts[which]}: ${value} ms`);
      return [make('b', format.format(dateOf(box, index))), ...lines.map((line) => make('span', line))];
    }
    const bad = box.dataset.days.split('\n').map((line) => line.split('\t'));
    const day = bad.find(([place]) => place !== '' && Number(place) === index);
    const parts = [make('b', dayOf.formatRange(dateOf(box, index), dateOf(box, index + 1) - 1))];
    if (day === undefined) return [...parts, make('span', index < numberOf(box, 'first') ? texts[1] : texts[0])];
    parts.push(make('span', day[1]));
    // The address and the title of each incident.
    for (let at = 2; at < day.length; at += 2) parts.push(make('a', day[at + 1], { href: day[at] }));
    return parts;
  }

  function read(box, index) {
    clearTimeout(hiding);
    if (tip === null) {
      tip = make('div', '', { className: 'tip', id: 'tip' });
      tip.setAttribute('role', 'status');
      tip.addEventListener('pointerleave', hideSoon);
      document.body.append(tip);
    }
    const place = Math.max(numberOf(box, 'first'), Math.min(numberOf(box, 'count') - 1, index));
    if (shown === null || shown.box !== box) hide();
    if (shown === null) shown = { box, mark: make('span', '', { className: 'mark' }) };
    shown.at = place;
    tip.replaceChildren(...factsOf(box, place));
    tip.hidden = false;
    putAt(box, place);
  }

  /** Marks the place, and puts the read-out above it, or below it at the top of the window. */
  function putAt(box, place) {
    const { left, width, top, bottom } = box.getBoundingClientRect();
    const isStrip = box.matches('.strip');
    const part = width / partsOf(box);
    const bar = isStrip ? BAR * part : 0;
    shown.mark.style.left = `${place * part}px`;
    if (isStrip) shown.mark.style.width = `${bar}px`;
    box.append(shown.mark);
    const middle = left + place * part + bar / 2 - tip.offsetWidth / 2;
    const above = top - tip.offsetHeight - 8;
    tip.style.left = `${scrollX + Math.max(8, Math.min(middle, document.documentElement.clientWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${scrollY + (above > 0 ? above : bottom + 8)}px`;
  }

  function hide() {
    if (shown === null) return;
    shown.mark.remove();
    shown = null;
    tip.hidden = true;
  }

  function hideSoon() {
    clearTimeout(hiding);
    hiding = setTimeout(() => {
      if (!tip.matches(':hover') && !tip.contains(document.activeElement)) hide();
    }, 200);
  }

  function readable(event) {
    return event.target instanceof Element ? event.target.closest('.strip, .plot') : null;
  }

  function readAt(event) {
    const box = readable(event);
    if (box === null) return;
    const { left, width } = box.getBoundingClientRect();
    const at = ((event.clientX - left) / width) * partsOf(box);
    read(box, box.matches('.strip') ? Math.floor(at) : Math.round(at));
  }

  const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 7, PageDown: -7, Home: -1e6, End: 1e6 };

  function step(event) {
    const box = readable(event);
    if (box === null || !(event.key in STEPS)) return;
    event.preventDefault();
    const by = STEPS[event.key];
    // The first step begins outside: forward leads to the first value, and back to the last one.
    const outside = by > 0 ? -1 : numberOf(box, 'count');
    read(box, (shown !== null && shown.box === box ? shown.at : outside) + by);
  }

  /** A strip leads to its day, or to the incident of the day. A first tap only reads it. */
  function follow(event) {
    const box = readable(event);
    if (box === null || !box.matches('a') || shown === null || shown.box !== box) return;
    const link = tip.querySelector('a');
    const isTap = event.pointerType === 'touch';
    if (!isTap && link === null) return;
    event.preventDefault();
    if (!isTap) location.assign(link.href);
  }

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') hide();
    step(event);
  });
  document.addEventListener('pointermove', readAt);
  document.addEventListener('pointerdown', (event) => {
    if (tip !== null && !tip.contains(event.target)) hide();
    readAt(event);
  });
  document.addEventListener('click', follow);
  for (const name of ['pointerout', 'focusout'])
    document.addEventListener(name, (event) => {
      // A finger that is lifted leaves the read-out for the next tap.
      if (event.pointerType !== 'touch' && shown !== null && readable(event) === shown.box) hideSoon();
    });
})();
