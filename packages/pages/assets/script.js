// Makes times relative, copies texts, switches the theme, searches while you type, and refreshes what is live. Pages work without it.
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

  /** As the pages write lengths: `2 d 4 h`, `1 h 34 min` or `26 min`; in German after "seit". */
  function lengthOf(seconds) {
    const [d, h, min] = [seconds / 86_400, (seconds / 3_600) % 24, (seconds / 60) % 60].map(Math.floor);
    const [day, hour, minute] = language === 'de' ? [d > 1 ? 'Tagen' : 'Tag', 'Std.', 'Min.'] : ['d', 'h', 'min'];
    if (d > 0) return h > 0 ? `${d} ${day} ${h} ${hour}` : `${d} ${day}`;
    if (h > 0) return min > 0 ? `${h} ${hour} ${min} ${minute}` : `${h} ${hour}`;
    return min > 0 ? `${min} ${minute}` : `<\u00a01\u00a0${minute}`;
  }

  function textOf(time) {
    const seconds = (Date.parse(time.dateTime) - Date.now()) / 1_000;
    if (Math.abs(seconds) > OLDEST_DAYS * 86_400) return null;
    // The clock of the browser may be a little late.
    if (time.dataset.relative) return seconds > 60 ? null : `${time.dataset.relative} ${lengthOf(Math.max(0, -seconds))}`;
    const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) || UNITS.at(-1);
    return relative.format(Math.trunc(seconds / length), unit);
  }

  /** While the page loads, more text may come for its last element. */
  function isLast(element) {
    return element === null || (element.nextSibling === null && isLast(element.parentElement));
  }

  /** The times as the page wrote them. */
  const written = new WeakMap();

  function showTimes() {
    for (const time of document.querySelectorAll('time[data-relative]')) {
      if (document.readyState === 'loading' && isLast(time)) continue;
      if (!written.has(time)) written.set(time, time.textContent);
      const text = textOf(time) || written.get(time);
      if (time.textContent !== text) time.textContent = text;
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
    // The icon shows the state. Without it, browsers show a neutral one.
    document.querySelector('link[rel=icon]')?.remove();
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
      if (document.activeElement === document.body) location.reload();
      return;
    }
    for (const part of document.querySelectorAll('[data-live], #copy')) replace(part, fresh.getElementById(part.id));
    refreshIcon(fresh);
    show();
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

  /* Buttons that copy, and the theme */
  async function press(event) {
    const button = event.target instanceof Element ? event.target.closest('button[data-copy], .themes button') : null;
    if (button === null) return;
    if (button.dataset.theme) {
      showTheme(button.dataset.theme);
      // Without storage, this throws, and the choice lasts as long as the page.
      localStorage.setItem(THEME, button.dataset.theme);
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

  function searchSoon({ target }) {
    if (!(target instanceof HTMLInputElement) || target.name !== 'q') return;
    clearTimeout(typing);
    typing = setTimeout(() => search(target.form).catch(() => undefined), WAIT_MS);
  }

  /** The results below a search field, which other pages than that of the search show. */
  const below = () => document.querySelector('.search #results');

  async function search(form) {
    const turn = ++asked;
    const query = new URLSearchParams(new FormData(form));
    if ([...query.get('q').trim()].length < LEAST) {
      below()?.remove();
      return;
    }
    const address = `${form.action}?${query}`;
    const response = await fetch(address, { headers: { Accept: 'text/html' } });
    const fresh = new DOMParser().parseFromString(await response.text(), 'text/html');
    // A later answer may come first.
    if (!response.ok || turn !== asked) return;
    const found = document.importNode(fresh.getElementById('results'), true);
    if (form.matches('.search')) showBelow(form, found);
    else showInPage(found, address);
    showTimes();
  }

  function showInPage(found, address) {
    document.getElementById('results').replaceWith(found);
    history.replaceState(null, '', address);
  }

  function showBelow(form, found) {
    below()?.remove();
    // The reader may have left the field.
    if (!form.contains(document.activeElement)) return;
    found.className = 'drop';
    // The page may have sections of the same names.
    for (const section of found.querySelectorAll('section')) section.removeAttribute('aria-labelledby');
    form.append(found);
  }

  /** The results below a field go with the field. */
  function leaveResults({ type, key, target }) {
    const found = below();
    if (found === null || (type === 'keydown' ? key !== 'Escape' : found.parentElement.contains(target))) return;
    if (found.contains(document.activeElement)) found.parentElement.elements.q.focus();
    found.remove();
  }

  function closeMenus(event) {
    for (const menu of document.querySelectorAll('details.menu[open]')) {
      if (event.key === 'Escape' && menu.contains(document.activeElement)) menu.querySelector('summary').focus();
      if (event.key === 'Escape' || !menu.contains(event.target)) menu.open = false;
    }
  }

  function isTyping({ target }) {
    return target instanceof Element && target.closest('input, textarea, select, [contenteditable]') !== null;
  }

  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') closeMenus(event);
    if (event.key !== '/' || ['ctrlKey', 'metaKey', 'altKey'].some((key) => event[key]) || isTyping(event)) return;
    const field = [...document.querySelectorAll('input[type=search], a.seek')].find((each) => each.checkVisibility());
    if (field === undefined) return;
    event.preventDefault();
    if (field.matches('a')) location.assign(field.href);
    else field.focus();
  });
  document.addEventListener('click', (event) => {
    closeMenus(event);
    press(event).catch(() => undefined);
  });
  /* From the field of the search to its results, and on from one to the next */
  function walk(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const results = document.getElementById('results');
    if (step === undefined || results === null) return;
    const stops = [results.parentElement.querySelector('[name=q]'), ...results.querySelectorAll('a.title')];
    if (!stops.includes(event.target)) return;
    const next = stops[stops.indexOf(event.target) + step];
    if (!next) return;
    event.preventDefault();
    next.focus();
  }

  document.addEventListener('keydown', walk);
  for (const type of ['keydown', 'click', 'focusin']) document.addEventListener(type, leaveResults);
  document.addEventListener('input', searchSoon);

  function begin() {
    showTheme(themeOf());
    for (const themes of document.querySelectorAll('.themes')) themes.hidden = false;
    showTimes();
  }

  // The browser shows a long page before it has all of it. What it has shown must not move any more.
  const parsing = new MutationObserver(begin);
  parsing.observe(root, { childList: true, subtree: true });
  document.addEventListener('DOMContentLoaded', () => {
    parsing.disconnect();
    begin();
    // Not while a part may be half there.
    expire();
    const run = () => refresh().catch(() => undefined);
    setInterval(show, REFRESH_MS);
    setInterval(run, REFRESH_MS);
    document.addEventListener('visibilitychange', run);
  });
})();
