# High Show
# No particle hangs on a number: it is followed by a noun of our own, or stands in brackets or behind a colon.

game-highshow = 하이쇼
highshow-title = 하이쇼

# What a rejection costs
highshow-penalty-none = 카드를 버려도 벌점 없음
highshow-penalty-linear = 카드를 버릴 때마다 벌점 { $rate }
highshow-penalty-turn = i번째 카드를 버리면 벌점 i × { $rate }
highshow-penalty-turn-usual = i번째 카드를 버리면 벌점 i × 2({ $cards } + K)/{ $divisor }
highshow-penalty-value = 카드를 버리면 벌점 카드 숫자 × { $rate }
highshow-penalty-turnvalue = i번째 카드를 버리면 벌점 i × 카드 숫자 × { $rate }

# The game
highshow-opened = { $who }님의 하이쇼! 비밀 숫자 K(1~{ NUMBER($most, useGrouping: 0) })부터 이어지는 카드 { $cards }장 중 { $keep }장을 가져야 해요. { $penalty }. { $stake } 첫 카드: { $shown }. 가지려면 !cashout, 버리려면 !another. { $seconds }초가 지나면 자동으로 가져요.
highshow-for-honour = 판돈 없이 명예를 걸고!
highshow-for-stake = 판돈 { $stake }! 순이익이 높을수록 많이, 최대 두 배까지 돌려받아요.
highshow-next = { $done } 다음 카드: { $shown } (뒤에 { $left }장 남음). !cashout 아니면 !another?
    .text-2 = { $done } 이번 카드: { $shown }! 뒤에 { $left }장 남았어요. !cashout 아니면 !another?
    .text-3 = { $done } 이어서 나온 카드: { $shown } (뒤에 { $left }장 남음). 가질까요(!cashout), 버릴까요(!another)?
highshow-kept = { $who }님, { $card } 갖기! { $keep }장 중 { $kept }장: { $row }.
highshow-late = 시간 끝! { $who }님, { $card } 카드를 자동으로 가졌어요. { $keep }장 중 { $kept }장: { $row }.
highshow-rejected = { $who }님, { $card } 버리기! { $kept ->
    [0] 가져야 할 { $keep }장 중 아직 0장.
   *[other] { $keep }장 중 { $kept }장: { $row }.
  }
highshow-forced = { $who }님, 남은 카드가 전부 필요해요! { $count ->
    [1] 마지막 1장을 받았어요: { $row }.
   *[other] { $count }장 모두 받았어요: { $row }.
  }
highshow-away = { $late }번 연속 시간 초과! 아직 필요한 카드를 { $who }님이 모두 자동으로 가졌어요: { $row }. { $keep }장 중 { $kept }장.
highshow-completed = { $who }님, K({ NUMBER($most, useGrouping: 0) } 이하)와 순이익을 맞혀 보세요! !guess 12 40.5처럼 쓰고, 모르는 건 skip. { $seconds }초 드릴게요.
highshow-revealed = { $who }님의 순이익: { $profit }점! 카드 합계 { $gain }, 벌점 { $penalty }, 비밀 숫자 K { $lowest }.
    .text-2 = { $who }님의 비밀 숫자 K 공개: { $lowest }! 카드 합계 { $gain }에서 벌점 { $penalty } 빼고 순이익 { $profit }점이에요.
highshow-revealed-guesses = { $who }님의 순이익: { $profit }점! 카드 합계 { $gain }, 벌점 { $penalty }, 비밀 숫자 K { $lowest }. 예상: K { $lowest_guess }, 순이익 { $profit_guess }.
    .text-2 = { $who }님의 비밀 숫자 K 공개: { $lowest }! 카드 합계 { $gain }에서 벌점 { $penalty } 빼고 순이익 { $profit }점이에요. 예상: K { $lowest_guess }, 순이익 { $profit_guess }.
highshow-guess-none = 건너뜀
highshow-guess-right = { $guess }(정확해요!)
highshow-guess-high = { $guess }(실제보다 { $error } 높음)
highshow-guess-low = { $guess }(실제보다 { $error } 낮음)
highshow-paid = { $who }님, { $stake } 걸고 { $payout } 돌려받아요 ({ $net }).

# The hint and the review
highshow-hint-cashout = { $who }님 힌트, 카드 { $card }: 갖는 게 좋아요. 버릴 때보다 평균 { $by }점 더 나와요.
highshow-hint-another = { $who }님 힌트, 카드 { $card }: 버리는 게 좋아요. 가질 때보다 평균 { $by }점 더 나와요.
highshow-hint-either = { $who }님 힌트, 카드 { $card }: 갖든 버리든 평균은 똑같아요.
highshow-review = { $who }님 복기: { $verdict } { $ghost }
highshow-review-flawless = { $decisions ->
    [1] 단 한 번의 선택이 최선이었어요.
   *[other] 선택 { $decisions }번 모두 최선이었어요.
  }
highshow-review-costly = { $costly ->
    [1] 선택 { $decisions }번 중 아쉬운 것은 하나예요: { $dearest }.
   *[other] 선택 { $decisions }번 중 { $costly }번이 아쉬워요(평균 { $lost }점 손해). 가장 아까운 선택: { $dearest }.
  }
highshow-review-kept = { $turn }번째 카드 { $card } 갖기({ $cost }점 손해)
highshow-review-rejected = { $turn }번째 카드 { $card } 버리기({ $cost }점 손해)
highshow-ghost-more = 같은 카드에서 최선의 플레이는 순이익 { $profit }점, { $ahead }점 더 높아요(가진 카드: { $cards }).
highshow-ghost-less = 같은 카드에서 최선의 플레이는 순이익 { $profit }점, 오히려 { $ahead }점 낮아요(가진 카드: { $cards }). 운이 좋았네요!
highshow-ghost-same = 같은 카드에서 최선의 플레이도 순이익 { $profit }점으로 똑같아요(가진 카드: { $cards }).

# Refusals
highshow-cards = 카드는 { $least }장부터 { NUMBER($most, useGrouping: 0) }장까지예요. { NUMBER($cards, useGrouping: 0) }장으로는 할 수 없어요.
highshow-too-many = 여기서는 카드를 { NUMBER($most, useGrouping: 0) }장까지만 쓸 수 있어요.
highshow-keep = 카드 { NUMBER($cards, useGrouping: 0) }장 중 { NUMBER($keep, useGrouping: 0) }장을 가질 수는 없어요. 적어도 1장은 갖고 1장은 남겨야 해요.
highshow-penalty = “{ $text }”: 그런 벌점 방식은 없어요. 고를 수 있는 것: { $known }
highshow-parameter = “{ $text }”: 벌점 값이 아니에요. 3, 0.5, 1/2처럼 0 이상의 수를 앞뒤 여섯 자리 안에서 써 주세요.
highshow-no-parameter = none은 벌점이 없는 방식이라 값을 정할 수 없어요.
highshow-elsewhere = “{ $text }”: 따로 쓰는 명령어예요: { $word }
highshow-word = “{ $text }”: 알 수 없는 말이에요. !highshow 20 3 linear=5 50(카드 수, 가질 장수, 벌점, 판돈)처럼 써 주세요.
highshow-honour-only = 카드가 너무 많으면 판돈의 기준을 계산할 수 없어요. 판돈을 빼거나 카드를 줄여 주세요.
highshow-already = 이미 하이쇼를 하고 있어요. 하던 게임부터 끝내 주세요.
highshow-not-yours = { $who }님의 게임이에요. 직접 하려면 !highshow라고 입력하세요.
highshow-nothing-shown = 지금은 고를 카드가 없어요.
highshow-no-hint = 판돈을 건 게임에는 힌트가 없어요.
highshow-hinted = 이 카드의 힌트는 이미 받았어요.
highshow-alone = { $word } 뒤에는 아무것도 쓰지 마세요.
highshow-over = 이 게임은 끝났어요. 다시 하려면 !highshow라고 입력하세요.
highshow-guess-later = 아직 맞힐 때가 아니에요. 카드를 다 모은 다음에 맞혀 보세요.
highshow-guess-lowest = “{ $text }”: K가 아니에요. 12 같은 정수나 skip이라고 써 주세요.
highshow-guess-range = 이번 게임의 K는 1부터 { NUMBER($most, useGrouping: 0) }까지의 정수예요.
highshow-guess-usage = K와 순이익을 이렇게 맞혀 보세요: !guess 12 40.5 (건너뛸 것은 skip)
highshow-guess-profit = “{ $text }”: 순이익이 아니에요. 40, -12, 40.5, 81/4 같은 수나 skip이라고 써 주세요.

# Rules
highshow-rules-short = 하이쇼: 카드가 한 장씩 나와요. !cashout은 갖기, !another는 버리기! 버린 카드는 돌아오지 않고 벌점이 붙어요. 정해진 장수로 이익을 가장 크게 내 보세요.
highshow-rules = 하이쇼: 카드 수의 세 배 이하인 비밀 숫자 K를 뽑고 K, K+1, K+2… 카드를 섞어요. 카드는 한 장씩 나와요. !cashout은 갖기, !another는 버리기(되돌릴 수 없어요). 정해진 장수를 모으면 끝! 가진 카드의 합에서 버린 벌점을 뺀 것이 순이익이에요. 마지막에 !guess로 K와 순이익을 맞혀 볼 수 있어요.
highshow-rules-penalties = 카드를 버리는 벌점: none(없음), linear(매번 같은 값, 기본 카드 수/10), turn(i번째 카드는 i × 값, 기본 2(카드 수 + K)/(카드 수 + 4)), value(카드 숫자 × 값, 기본 1/4), turnvalue(i × 카드 숫자 × 값, 기본 1/8). 예: !highshow 20 3 linear=5 50은 카드 20장, 3장 갖기, 버릴 때마다 5점, 판돈 50이에요.
highshow-rules-stakes = 판돈을 걸면 최선의 플레이가 평균적으로 버는 점수가 기준이에요. 순이익이 기준과 같으면 판돈을 그대로, 더 벌면 최대 두 배까지, 덜 벌면 그만큼 적게 돌려받아요. 판돈이 없으면 카드마다 !hint를 쓸 수 있어요.

# The board
highshow-of = { $kept }/{ $keep }장
highshow-fact-kept = 가진 카드
highshow-fact-left = 남은 카드
highshow-fact-penalty = 벌점 방식
highshow-fact-stake = 판돈
highshow-fact-par = 기준 점수
highshow-fact-lowest = K
highshow-fact-gain = 카드 합계
highshow-fact-lost = 벌점
highshow-fact-profit = 순이익
highshow-fact-payout = 지급액
highshow-hand-shown = 나온 카드
highshow-hand-kept = 가진 카드
highshow-hand-rejected = 버린 카드
highshow-hand-left = 남은 카드
highshow-card-kept = 가진 카드
highshow-card-taken = 꼭 필요해서 가진 카드
highshow-card-rejected = 버린 카드
highshow-place-opening = 준비 중
highshow-place-kept = { $kept ->
    [0] 아직 가진 카드 없음
   *[other] 가진 카드: { $cards }
  }
highshow-place-unused = 하지 않음
highshow-place-over = 순이익 { $profit }
highshow-place-paid = 순이익 { $profit }, 지급액 { $payout }
highshow-note-opening = !highshow라고 입력해 시작하세요.
highshow-note-decision = 나온 카드는 { NUMBER($card, useGrouping: 0) }: !cashout은 갖기, !another는 버리기예요.
highshow-note-estimates = K(1~{ NUMBER($most, useGrouping: 0) })와 순이익을 맞혀 보세요: !guess K 순이익 (건너뛸 것은 skip)
highshow-note-over = 게임이 끝났어요.
highshow-note-unused = 아무것도 하지 않고 끝났어요.
highshow-phase-opening = 준비
highshow-phase-decision = 가질까, 버릴까?
highshow-phase-estimates = 맞히기
highshow-phase-over = 끝
highshow-button-honour = 시작: { $cards }장 중 { $keep }장
highshow-button-stake = { $stake } 걸고 시작: { $cards }장 중 { $keep }장
highshow-button-cashout = 갖기
highshow-button-another = 버리기
highshow-button-hint = 힌트
highshow-button-skip = 맞히기 건너뛰기
form-guess = 맞히기…

# Commands
help-highshow = 혼자 하는 하이쇼를 시작해요. 한 장씩 나오는 카드 중 무엇을 가질지 골라요. rules는 규칙 설명이에요.
help-cashout = 나온 카드를 가져요.
help-another = 나온 카드를 버리고 다음 카드를 봐요.
help-hint = 나온 카드를 갖는 게 나은지 버리는 게 나은지 알려줘요(판돈이 없을 때만).
help-guess = 마지막에 K와 순이익을 맞혀요. 예: !guess 12 40.5, 건너뛸 것은 skip.
option-highshow-cards = 카드 수
option-highshow-keep = 가져야 할 장수
option-highshow-penalty = 카드를 버릴 때의 벌점 방식
option-highshow-parameter = 3, 0.5, 1/2 같은 벌점 값
option-highshow-stake = 69, 1k, 25%, half, all 같은 크레딧, 0이면 판돈 없이
option-guess-k = 가장 낮은 카드, 또는 skip
option-guess-profit = 40, -12, 40.5, 81/4 같은 순이익, 또는 skip

# Settings
unit-cards = 장
unit-games = 판
expects-penalty = none, linear, turn, value, turnvalue 중 하나(linear=5처럼 값도 쓸 수 있음)
setting-highshow-decision = 카드를 고르는 시간(초), 지나면 그 카드를 가짐
setting-highshow-estimates = K와 순이익을 맞히는 시간(초), 지나면 둘 다 건너뜀
setting-highshow-starters = 하이쇼를 할 수 있는 가장 낮은 역할
setting-highshow-cards = 따로 정하지 않았을 때의 카드 수
setting-highshow-keep = 따로 정하지 않았을 때 가져야 할 장수
setting-highshow-penalty = 따로 정하지 않았을 때의 벌점 방식
setting-highshow-most_cards = 고를 수 있는 최대 카드 수
setting-highshow-default_stake = 금액을 쓰지 않았을 때의 판돈(최소·최대 판돈 안에서), 0이면 판돈 없이
setting-highshow-min_stake = 최소 판돈
setting-highshow-max_stake = 최대 판돈, 0이면 제한 없음
setting-highshow-games = 한 방에서 동시에 할 수 있는 게임 수

highshow-odds = 카드 { $cards }장 중 { $keep }장, 벌점 { $penalty }: 기준 점수 { $par }이면 판돈이 그대로 돌아오고, { $span } 높으면 두 배, { $span } 낮으면 모두 잃어요. 어떤 조건이든 가장 잘하면 길게 보아 100%가 돌아오고, 1 미만의 끝수는 하우스 몫이에요.
highshow-odds-honour = 카드 { $cards }장 중 { $keep }장, 벌점 { $penalty }: 명예만 걸 수 있어요. 더 작은 조건에서는 기준 점수면 판돈이 돌아오고, 가장 잘하면 길게 보아 100%가 돌아와요.
preset-highshow-usual = 카드 20장, 한 장에 60초
preset-highshow-short = 카드 8장, 한 장에 30초
preset-highshow-stakes = 카드 12장, 기본 판돈 50
about-highshow = 하이쇼: 카드가 한 장씩 나와요. 높은 카드만 남기세요. 버릴 때마다 벌점이 있어요.
example-highshow = !highshow 20 3 50
blank-keep = 가질장수
blank-penalty = 벌점
blank-parameter = 벌점값
blank-profit = 순이익

# 디스코드 목록에 나오는 슬래시 명령과 그 칸의 이름이에요. 띄어쓰기 없이 써요.
slash-name-highshow = 하이쇼
slash-name-cashout = 카드갖기
slash-name-another = 다음카드
slash-name-hint = 힌트
slash-name-guess = 맞히기
slash-option-keep = 가질장수
slash-option-penalty = 벌점방식
slash-option-parameter = 벌점값
slash-option-k = 최저카드
slash-option-profit = 순이익
