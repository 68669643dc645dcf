function (id, t) {
  const size = 15, rows = t.orders[0].length;
  for (const box of document.querySelectorAll(`[data-gaucho-table="${id}"]:not([data-live])`)) {
    box.dataset.live = "1";
    const body = box.querySelector("tbody"), heads = box.querySelectorAll("th"), foot = box.lastElementChild;
    const count = foot.textContent;
    let by = 0, down = false, page = 0;
    const order = () => {
      const up = t.orders[by], there = rows - t.missing[by];
      return down ? up.slice(0, there).reverse().concat(up.slice(there)) : up;
    };
    const draw = () => {
      body.replaceChildren(...order().slice(page * size, (page + 1) * size).map(i => {
        const row = document.createElement("tr");
        t.cells.forEach((cells, j) => {
          const cell = row.insertCell();
          cell.textContent = cells[i];
          cell.style.cssText = "padding:.15em .7em;border:none;vertical-align:top;white-space:pre;text-align:" + (t.right[j] ? "right" : "left");
          if (j == 0 || cells[i] == "–") cell.style.opacity = .6;
        });
        return row;
      }));
      heads.forEach((head, j) => {
        const sorted = j == by && (j > 0 || down);
        head.setAttribute("aria-sort", sorted ? (down ? "descending" : "ascending") : "none");
        head.lastElementChild.textContent = sorted ? (down ? " ▼" : " ▲") : "";
      });
      if (rows > size) {
        const last = Math.min(rows, (page + 1) * size);
        where.textContent = ` ${page * size}–${last - 1} of `;
        back.disabled = page == 0;
        next.disabled = last == rows;
      }
    };
    heads.forEach((head, j) => {
      head.append(document.createElement("span"));
      head.style.cursor = "pointer";
      head.tabIndex = 0;
      head.title = j ? "Sort by this column" : "The order of the rows";
      const sort = () => {
        down = by == j && !down;
        by = j;
        page = 0;
        draw();
      };
      head.onclick = sort;
      head.onkeydown = e => { if (e.key == "Enter") { e.preventDefault(); e.stopPropagation(); sort(); } };
    });
    const back = document.createElement("button"), next = document.createElement("button"), where = document.createElement("span");
    if (rows > size) {
      back.textContent = "‹";
      next.textContent = "›";
      back.title = "Rows before";
      next.title = "Rows after";
      back.onclick = () => { page--; draw(); };
      next.onclick = () => { page++; draw(); };
      foot.replaceChildren(back, where, count + " ", next);
    }
    draw();
  }
}
