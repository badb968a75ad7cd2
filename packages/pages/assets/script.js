// Makes times relative, reads out strips and charts, copies texts, switches the theme, searches while you type, and refreshes what is live. Pages work without it.
(() => {
  const root = document.documentElement;
  const language = root.lang || 'en';
  const THEME = 'vitrine-theme';

  function themeOf() {
    try {
      return localStorage.getItem(THEME) || 'system';
    } catch {
      return 'system';
    }
  }

  function showTheme(theme) {
    if (theme === 'system') delete root.dataset.theme;
    else root.dataset.theme = theme;
    for (const button of document.querySelectorAll('.themes button')) button.setAttribute('aria-pressed', String(button.dataset.theme === theme));
  }

  // Before the first paint, so that no page flashes in the wrong theme.
  showTheme(themeOf());
  root.dataset.script = '';

  /* Times */
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const UNITS = [
    ['day', 86_400],
    ['hour', 3_600],
    ['minute', 60],
    ['second', 1],
  ];
  const OLDEST_DAYS = 30;
  const REFRESH_MS = 30_000;

  function textOf(time) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1_000;
    if (Math.abs(seconds) > OLDEST_DAYS * 86_400) return null;
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) || UNITS[UNITS.length - 1];
    return relative.format(Math.trunc(seconds / length), unit);
  }

  function showTimes() {
    for (const time of document.querySelectorAll('time[data-relative]')) {
      if (!time.title) time.title = time.textContent;
      time.textContent = textOf(time) || time.title;
    }
  }

  /* States whose evidence has expired, in a copy of the site: it cannot ask what the state is now, and must not look current */
  const STATES = ['operational', 'degraded', 'outage', 'maintenance'];

  function expire() {
    for (const part of document.querySelectorAll('[data-until]')) {
      if (Date.parse(part.dataset.until) > Date.now()) continue;
      part.classList.remove(...STATES);
      part.classList.add('unknown');
      for (const icon of part.querySelectorAll('.badge, .state > .i')) icon.remove();
      const words = part.dataset.expired ? part : part.querySelector('h1[data-expired]');
      if (words !== null) words.textContent = words.dataset.expired;
      if (part.dataset.state) forget(part);
      delete part.dataset.until;
    }
  }

  function forget(banner) {
    banner.dataset.state = 'unknown';
    const icon = document.querySelector('link[rel=icon]');
    // It shows the state. Without it, browsers show a neutral icon.
    if (icon !== null) icon.remove();
  }

  function show() {
    showTimes();
    expire();
  }

  /* Live parts */
  async function refresh() {
    const live = document.querySelectorAll('[data-live]');
    if (document.hidden || live.length === 0) return;
    // The browser asks with the tag of the copy that it has.
    const response = await fetch(location.href, { cache: 'no-cache', headers: { Accept: 'text/html' } });
    if (!response.ok) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const mine = [...live].map((part) => part.id).join();
    const theirs = [...fresh.querySelectorAll('[data-live]')].map((part) => part.id).join();
    // A part has come or gone, so its neighbours cannot be told apart.
    if (mine !== theirs) {
      if (!isUsed()) location.reload();
      return;
    }
    for (const part of live) replace(part, fresh.getElementById(part.id));
    const copy = document.getElementById('copy');
    if (copy !== null) replace(copy, fresh.getElementById('copy'));
    refreshIcon(fresh);
    show();
  }

  function isUsed() {
    return document.activeElement !== null && document.activeElement !== document.body;
  }

  function replace(part, other) {
    if (other === null || part.contains(document.activeElement)) return;
    const copy = document.importNode(other, true);
    for (const [index, details] of part.querySelectorAll('details').entries()) {
      const same = copy.querySelectorAll('details')[index];
      if (same) same.open = details.open;
    }
    if (copy.innerHTML !== part.innerHTML) part.replaceWith(copy);
  }

  function refreshIcon(fresh) {
    const state = fresh.querySelector('[data-state]');
    const icon = document.querySelector('link[rel=icon]');
    if (state !== null && icon !== null) icon.href = `${icon.href.split('?')[0]}?state=${state.dataset.state}`;
  }

  /* Strips and charts: one read-out for all of them */
  const dayOf = new Intl.DateTimeFormat(language, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
  const hourOf = new Intl.DateTimeFormat(language, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  });
  const DAY_MS = 86_400_000;
  let tip = null;
  let shown = null;
  let hiding;

  function make(name, text, more) {
    return Object.assign(document.createElement(name), { textContent: text }, more);
  }

  function countOf(box) {
    return box.matches('.strip') ? Number(box.dataset.count) : box.dataset.p50.split(',').length;
  }

  function firstOf(box) {
    return box.matches('.strip') ? Number(box.dataset.from) : 0;
  }

  function dateOf(box, index) {
    if (!box.matches('.strip')) return Number(box.dataset.from) + index * Number(box.dataset.step);
    return Date.parse(box.dataset.last) - (countOf(box) - 1 - index) * DAY_MS;
  }

  function factsOf(box, index) {
    const texts = box.dataset.texts.split('\t');
    if (!box.matches('.strip')) {
      const values = [box.dataset.p50, box.dataset.p95].map((list) => list.split(',')[index]);
      const format = Number(box.dataset.step) < DAY_MS ? hourOf : dayOf;
      const lines = values[0] === '' ? [texts[2]] : values.map((value, which) => `${texts[which]}: ${value} ms`);
      return [make('b', format.format(dateOf(box, index))), ...lines.map((line) => make('span', line))];
    }
    const bad = box.dataset.days.split('\n').map((line) => line.split('\t'));
    const day = bad.find(([place]) => place !== '' && Number(place) === index);
    const parts = [make('b', dayOf.format(dateOf(box, index)))];
    if (day === undefined) return [...parts, make('span', index < firstOf(box) ? texts[1] : texts[0])];
    parts.push(make('span', day[1]));
    if (day[2]) parts.push(make('a', day[3], { href: day[2] }));
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
    const place = Math.max(firstOf(box), Math.min(countOf(box) - 1, index));
    if (shown === null || shown.box !== box) hide();
    if (shown === null) shown = { box, mark: make('span', '', { className: 'mark' }) };
    shown.at = place;
    tip.replaceChildren(...factsOf(box, place));
    tip.hidden = false;
    const { left, width, top, bottom } = box.getBoundingClientRect();
    const count = countOf(box);
    const isStrip = box.matches('.strip');
    const part = width / (isStrip ? count : Math.max(1, count - 1));
    const start = place * part;
    shown.mark.style.left = `${start}px`;
    if (isStrip) shown.mark.style.width = `${part}px`;
    box.append(shown.mark);
    const middle = left + start + (isStrip ? part / 2 : 0) - tip.offsetWidth / 2;
    const above = top - tip.offsetHeight - 8;
    tip.style.left = `${scrollX + Math.max(8, Math.min(middle, root.clientWidth - tip.offsetWidth - 8))}px`;
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
    const share = (event.clientX - left) / width;
    read(box, box.matches('.strip') ? Math.floor(share * countOf(box)) : Math.round(share * (countOf(box) - 1)));
  }

  const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageUp: 7, PageDown: -7, Home: -1e6, End: 1e6 };

  function step(event) {
    const box = readable(event);
    if (box === null || !(event.key in STEPS)) return;
    event.preventDefault();
    const at = shown !== null && shown.box === box ? shown.at + STEPS[event.key] : countOf(box) - 1;
    read(box, at);
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

  /* Buttons that copy, and the theme */
  async function press(event) {
    const button = event.target instanceof Element ? event.target.closest('button[data-copy], .themes button') : null;
    if (button === null) return;
    if (button.dataset.theme) {
      try {
        localStorage.setItem(THEME, button.dataset.theme);
      } catch {
        // Without storage, the choice lasts as long as the page.
      }
      showTheme(button.dataset.theme);
      return;
    }
    await navigator.clipboard.writeText(button.dataset.copy);
    const words = button.querySelector('span');
    const before = words.textContent;
    words.textContent = button.dataset.done;
    setTimeout(() => (words.textContent = before), 2_000);
  }

  /* Search as you type */
  const WAIT_MS = 300;
  const LEAST = 3;
  let typing;
  let asked = 0;

  function searchSoon(event) {
    const input = event.target;
    if (!(input instanceof HTMLInputElement) || !input.dataset.liveSearch) return;
    clearTimeout(typing);
    typing = setTimeout(() => search(input.form, input.dataset.liveSearch).catch(() => undefined), WAIT_MS);
  }

  async function search(form, id) {
    const query = new URLSearchParams(new FormData(form));
    if ([...query.get('q').trim()].length < LEAST) return;
    const turn = ++asked;
    const address = `${form.action}?${query}`;
    const response = await fetch(address, { headers: { Accept: 'text/html' } });
    // A later answer may come first.
    if (!response.ok || turn !== asked) return;
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    const mine = document.getElementById(id);
    const theirs = fresh.getElementById(id);
    if (mine === null || theirs === null) return;
    mine.replaceWith(document.importNode(theirs, true));
    history.replaceState(null, '', address);
    showTimes();
  }

  function closeMenus(event) {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (event.key === 'Escape' && menu.contains(document.activeElement)) menu.querySelector('summary').focus();
      if (event.key === 'Escape' || !menu.contains(event.target)) menu.open = false;
    }
  }

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      hide();
      closeMenus(event);
    }
    step(event);
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]') !== null;
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return;
    const field = [...document.querySelectorAll('input[type=search], a.seek')].find((each) => each.checkVisibility());
    if (field === undefined) return;
    event.preventDefault();
    if (field.matches('a')) location.assign(field.href);
    else field.focus();
  });
  document.addEventListener('pointermove', readAt);
  document.addEventListener('pointerdown', readAt);
  document.addEventListener('pointerout', (event) => {
    if (shown !== null && readable(event) === shown.box) hideSoon();
  });
  document.addEventListener('focusout', (event) => {
    if (shown !== null && readable(event) === shown.box) hideSoon();
  });
  document.addEventListener('click', (event) => {
    closeMenus(event);
    follow(event);
    press(event).catch(() => undefined);
  });
  document.addEventListener('input', searchSoon);

  document.addEventListener('DOMContentLoaded', () => {
    showTheme(themeOf());
    for (const themes of document.querySelectorAll('.themes')) themes.hidden = false;
    show();
    const run = () => {
      refresh().catch(() => undefined);
    };
    setInterval(show, REFRESH_MS);
    setInterval(run, REFRESH_MS);
    document.addEventListener('visibilitychange', run);
  });
})();
