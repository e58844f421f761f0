# What is published of the odds

help-odds = 무엇을 얼마나 따고 잃는지, 확률과 환급률, 하우스가 가져간 몫을 알려줘요.
option-odds-game = 확률을 볼 게임
option-odds-more = 모두 보려면 more
odds-line = { $game }: { $told }
odds-back = 가장 잘했을 때 판돈의 { $back }%가 돌아와요.
odds-back-shared = 판돈은 모두 플레이어에게 돌아가요.
odds-none = { $game }의 확률은 공개되지 않았어요.
odds-honour = 여기서는 아무것도 걸지 않아요. 판돈 없이 해요.
odds-house = 판돈을 걸고 로비가 닫힐 때까지 혼자인 사람과만 하우스 플레이어 한 명이 하루 한도 안에서 겨뤄요. 최선으로 둘 때 돌아오는 몫: { $rows }.
odds-house-exact = { $strategy } { $back }% (증명됨)
odds-house-searched = { $strategy } 최대 { $back }%, 오차 { $error } (탐색함)
odds-house-unknown = { $strategy } 알 수 없어 판돈 없이
topic-alone = { $word } 뒤에는 아무것도 쓰지 마세요.
topic-more = 더 보기: { $word }
odds-more = 더 보기: !{ $word } odds
odds-take = { $since ->
    [0] 지금까지
   *[other] 시즌 { $since }에
} 하우스가 { $credits } 가져갔어요.
odds-paid = { $since ->
    [0] 지금까지
   *[other] 시즌 { $since }에
} 하우스가 가져간 것보다 { $credits } 더 내줬어요.

# Warnings

guard-generous = 주의: 이제 { $game }에서 가장 잘하는 사람은 판돈의 { $back }%를 돌려받아요. 그러면 { currency } 가치가 떨어져요. !undo로 되돌릴 수 있어요.

# Confirmations

help-confirm = 봇이 확인을 요청한 일을 1분 안에 실행해요. 매니저는 다른 매니저의 큰 지급도 이걸로 확인해요.
confirm-nothing = 확인할 일이 없거나 이미 시간이 지났어요.
confirm-ask = { $what } { $seconds }초 안에 !confirm 입력해 주세요.
confirm-another = { $what } 다른 매니저가 { $seconds }초 안에 !confirm 입력하면 돼요.
confirm-own = { $what } { $pause }초를 기다린 다음 !confirm 입력해 주세요. 지금부터 { $seconds }초가 지나면 늦어요.
confirm-not-own = 다른 매니저가 확인해야 해요.
confirm-not-gains = 직접 받게 되는 지급은 확인할 수 없어요. { $who }님이 요청한 것은 다른 사람이 확인해야 해요.
confirm-soon = { $wait } 뒤에 확인할 수 있어요.
confirm-waits = 여기서 요청한 일이 확인을 기다리고 있거나 방금 끝났어요. { $wait } 뒤에 다시 해 주세요.
confirm-which = 누구의 것인지 알려 주세요: !confirm @이름. 기다리는 사람: { $names }.
option-confirm-member = 여러 건이 기다릴 때, 누구의 요청을 확인할지

# The end of a season

help-seasonend = 게임의 시즌을 지금 끝내요. 먼저 확인을 받아요. !season end 라고 써도 돼요.
option-seasonend-game = 시즌을 끝낼 게임
season-end-which = 어느 게임의 시즌인가요? !season end { $games } 입력해 주세요.
season-end-ask = 이렇게 하면 { $game } 시즌 { $number } 전체가 모두에게 끝나요. 지금까지 { $tables }판을 했어요. { $resets }
season-end-table = { $game } 진행 중이에요. 끝난 뒤에 시즌을 끝내거나, 먼저 !cancel { $word } 로 취소해 주세요.
season-end-changed = 그사이에 시즌이 바뀌었어요. !season 을 확인해 주세요.
season-undone = { $game }: 시즌 { $number } 재개! 순위표가 다시 열렸고, 처음부터 시작됐던 것도 모두 돌아왔어요.
season-undone-lacking = 새 시즌이 준 것을 모두 거두지는 못했어요: { $names }에게서 { $credits } 모자라요.
season-undone-ends = 이 시즌은 이미 끝날 때가 됐어요. 한도를 늘리거나 게임 설정을 바꾸지 않으면 다음 판에 다시 끝나요.
season-undone-ends-soon = 정해진 날이 이미 다 지났어요. 그 전에 한도를 늘리지 않으면, 게임을 하지 않아도 한 시간 안에 다시 끝나요.
season-undo-later = 그 뒤에 { $game } 시즌 { $number }도 끝났어요. 먼저 그것을 되돌려 주세요.
season-undo-gone = 그 시즌은 더는 되돌릴 수 없어요.
